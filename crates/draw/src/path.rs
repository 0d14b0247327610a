//! Small helpers over [`kurbo::BezPath`] and the writing of SVG path data.

use kurbo::{BezPath, PathEl, Point};

/// How far a cubic's handles reach, as a share of the radius, to draw a quarter of a circle; the
/// radius is then right within 0.03 %.
const QUARTER: f64 = 0.552_284_749_830_793_4;

/// A straight line from `from` to `to`.
pub fn line(from: Point, to: Point) -> BezPath {
    polyline(&[from, to])
}

/// An open line through `points`; empty without points.
pub fn polyline(points: &[Point]) -> BezPath {
    let mut path = BezPath::with_capacity(points.len() + 1);
    if let Some((first, rest)) = points.split_first() {
        path.move_to(*first);
        for point in rest {
            path.line_to(*point);
        }
    }
    path
}

/// A closed line through `points`; empty without points.
pub fn polygon(points: &[Point]) -> BezPath {
    let mut path = polyline(points);
    if !points.is_empty() {
        path.close_path();
    }
    path
}

/// A rectangle with its top left corner at (`x`, `y`).
pub fn rect(x: f64, y: f64, width: f64, height: f64) -> BezPath {
    polygon(&[
        Point::new(x, y),
        Point::new(x + width, y),
        Point::new(x + width, y + height),
        Point::new(x, y + height),
    ])
}

/// A rectangle with round corners. The `radius` is cut to half of the shorter side.
pub fn rounded_rect(x: f64, y: f64, width: f64, height: f64, radius: f64) -> BezPath {
    let radius = radius.min(width / 2.0).min(height / 2.0).max(0.0);
    if radius == 0.0 {
        return rect(x, y, width, height);
    }
    let (right, bottom) = (x + width, y + height);
    // How far a handle stays away from the corner.
    let rest = radius * (1.0 - QUARTER);
    let mut path = BezPath::with_capacity(10);
    path.move_to((x + radius, y));
    path.line_to((right - radius, y));
    path.curve_to((right - rest, y), (right, y + rest), (right, y + radius));
    path.line_to((right, bottom - radius));
    path.curve_to((right, bottom - rest), (right - rest, bottom), (right - radius, bottom));
    path.line_to((x + radius, bottom));
    path.curve_to((x + rest, bottom), (x, bottom - rest), (x, bottom - radius));
    path.line_to((x, y + radius));
    path.curve_to((x, y + rest), (x + rest, y), (x + radius, y));
    path.close_path();
    path
}

/// A circle of four cubics. Kurbo's own circle calls the platform's trigonometry, which differs
/// between platforms.
pub fn circle(center: Point, radius: f64) -> BezPath {
    let (x, y, handle) = (center.x, center.y, radius * QUARTER);
    let mut path = BezPath::with_capacity(6);
    path.move_to((x + radius, y));
    path.curve_to((x + radius, y + handle), (x + handle, y + radius), (x, y + radius));
    path.curve_to((x - handle, y + radius), (x - radius, y + handle), (x - radius, y));
    path.curve_to((x - radius, y - handle), (x - handle, y - radius), (x, y - radius));
    path.curve_to((x + handle, y - radius), (x + radius, y - handle), (x + radius, y));
    path.close_path();
    path
}

/// Appends the path's SVG data: absolute `M`, `L`, `C` and `Z` only, numbers as by
/// [`write_number`]. A quadratic piece becomes the equal cubic.
pub fn write_data(path: &BezPath, out: &mut String) {
    let mut current = Point::ZERO;
    let mut start = Point::ZERO;
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(to) => {
                write_points('M', &[to], out);
                (current, start) = (to, to);
            }
            PathEl::LineTo(to) => {
                write_points('L', &[to], out);
                current = to;
            }
            PathEl::QuadTo(handle, to) => {
                let first = current + (handle - current) * (2.0 / 3.0);
                let second = to + (handle - to) * (2.0 / 3.0);
                write_points('C', &[first, second, to], out);
                current = to;
            }
            PathEl::CurveTo(first, second, to) => {
                write_points('C', &[first, second, to], out);
                current = to;
            }
            PathEl::ClosePath => {
                out.push('Z');
                current = start;
            }
        }
    }
}

fn write_points(command: char, points: &[Point], out: &mut String) {
    out.push(command);
    for (index, point) in points.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        write_number(point.x, out);
        out.push(' ');
        write_number(point.y, out);
    }
}

/// Appends `value` with at most two decimals, rounded half away from zero, without trailing
/// zeros and never as `-0`. A value that is not a number is written as 0; one beyond
/// ±90,000,000,000,000,000 as that bound.
pub fn write_number(value: f64, out: &mut String) {
    let hundredths = (value * 100.0).round() as i64;
    if hundredths < 0 {
        out.push('-');
    }
    let magnitude = hundredths.unsigned_abs();
    write_integer(magnitude / 100, out);
    let (tenths, rest) = (magnitude / 10 % 10, magnitude % 10);
    if tenths > 0 || rest > 0 {
        out.push('.');
        out.push(digit(tenths));
        if rest > 0 {
            out.push(digit(rest));
        }
    }
}

fn write_integer(mut value: u64, out: &mut String) {
    let mut digits = ['0'; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = digit(value % 10);
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend(&digits[start..]);
}

fn digit(value: u64) -> char {
    char::from(b'0' + value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::{ParamCurve, Shape};

    fn number(value: f64) -> String {
        let mut out = String::new();
        write_number(value, &mut out);
        out
    }

    #[test]
    fn numbers_have_two_decimals_at_most() {
        let table = [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.004, "0"),
            (-0.005, "-0.01"),
            (0.1, "0.1"),
            (0.05, "0.05"),
            (-1.5, "-1.5"),
            (9.999, "10"),
            (1023.994, "1023.99"),
            (-1000.0, "-1000"),
            (12.30, "12.3"),
            (f64::NAN, "0"),
        ];
        for (value, expected) in table {
            assert_eq!(number(value), expected, "{value}");
        }
        assert!(number(f64::INFINITY).starts_with("92233720368547758"));
    }

    #[test]
    fn every_number_is_read_back_within_half_a_hundredth() {
        for step in -30_000..30_000 {
            let value = f64::from(step) * 0.037_1;
            let text = number(value);
            let back: f64 = text.parse().expect("a number");
            assert!((back - value).abs() <= 0.005 + 1e-9, "{value} {text}");
            assert!(!text.starts_with("-0") || text.contains('.'), "{text}");
            assert!(!text.contains('.') || !text.ends_with('0'), "{text}");
        }
    }

    #[test]
    fn a_circle_is_round() {
        let center = Point::new(10.0, -4.0);
        for segment in circle(center, 100.0).segments() {
            for step in 0..=10 {
                let radius = (segment.eval(f64::from(step) / 10.0) - center).hypot2().sqrt();
                assert!((radius - 100.0).abs() < 0.03, "{radius}");
            }
        }
    }

    #[test]
    fn a_rounded_rect_keeps_its_bounds_and_cuts_its_radius() {
        let path = rounded_rect(1.0, 2.0, 30.0, 10.0, 100.0);
        assert_eq!(path.bounding_box(), kurbo::Rect::new(1.0, 2.0, 31.0, 12.0));
        assert!((path.area() - (20.0 * 10.0 + 25.0 * std::f64::consts::PI)).abs() < 0.1);
        assert_eq!(rounded_rect(0.0, 0.0, 4.0, 4.0, 0.0), rect(0.0, 0.0, 4.0, 4.0));
    }

    #[test]
    fn data_uses_four_commands_only() {
        let mut path = rect(0.5, 0.0, 2.0, 1.0);
        path.move_to((0.0, 0.0));
        path.quad_to((3.0, 0.0), (3.0, 3.0));
        let mut data = String::new();
        write_data(&path, &mut data);
        assert_eq!(data, "M0.5 0L2.5 0L2.5 1L0.5 1ZM0 0C2 0 3 1 3 3");
        assert!(polygon(&[]).is_empty() && polyline(&[]).is_empty());
    }
}

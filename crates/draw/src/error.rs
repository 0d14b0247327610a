use thiserror::Error as ThisError;

/// What can go wrong in this crate: unreadable input or a parameter out of its range.
#[derive(Debug, ThisError)]
#[error(transparent)]
pub struct Error(Kind);

#[derive(Debug, ThisError)]
enum Kind {
    #[error("{parameter} is {value}; allowed: {allowed}")]
    OutOfRange { parameter: &'static str, value: String, allowed: String },
    #[cfg(feature = "raster")]
    #[error("the SVG can't be read")]
    InvalidSvg(#[source] usvg::Error),
    #[cfg(feature = "raster")]
    #[error("the PNG can't be read")]
    InvalidPng(#[source] png::DecodingError),
}

impl Error {
    pub(crate) fn out_of_range(
        parameter: &'static str,
        value: impl ToString,
        allowed: impl ToString,
    ) -> Self {
        Error(Kind::OutOfRange { parameter, value: value.to_string(), allowed: allowed.to_string() })
    }

    #[cfg(feature = "raster")]
    pub(crate) fn invalid_svg(source: usvg::Error) -> Self {
        Error(Kind::InvalidSvg(source))
    }

    #[cfg(feature = "raster")]
    pub(crate) fn invalid_png(source: png::DecodingError) -> Self {
        Error(Kind::InvalidPng(source))
    }

    /// Whether a parameter was outside what is allowed; the message names it, its value and the
    /// allowed values.
    pub fn is_out_of_range(&self) -> bool {
        matches!(self.0, Kind::OutOfRange { .. })
    }

    /// Whether a text was not a readable SVG document.
    pub fn is_invalid_svg(&self) -> bool {
        #[cfg(feature = "raster")]
        return matches!(self.0, Kind::InvalidSvg(_));
        #[cfg(not(feature = "raster"))]
        false
    }

    /// Whether bytes were not a readable PNG file.
    pub fn is_invalid_png(&self) -> bool {
        #[cfg(feature = "raster")]
        return matches!(self.0, Kind::InvalidPng(_));
        #[cfg(not(feature = "raster"))]
        false
    }
}

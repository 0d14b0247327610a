//! The columns of a dataset file: from rows and back.
//!
//! Every field is nullable and none is of a large type: loaders compare the type of a picture
//! with the one they know for equality and otherwise hand out raw bytes without a word.

use std::sync::{Arc, LazyLock};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Float64Array, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
    StructArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use serde_json::{Map, Value};
use topotrace_core::{Contract, Flaw, Record, ensure};

use super::page::BadRow;
use crate::row::{Row, check_prompt, prompt_with_placeholders};

/// The schema metadata that makes loaders decode the pictures, in the form that every version of
/// `datasets` since 2.21 understands.
const METADATA: (&str, &str) = ("huggingface", r#"{"info":{"features":{"images":[{"_type":"Image"}]}}}"#);

/// The schema of every file.
pub(super) fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> =
        LazyLock::new(|| Arc::new(Schema::new_with_metadata(columns(), [METADATA])));
    Arc::clone(&SCHEMA)
}

fn columns() -> Fields {
    use DataType::{Float64, Int32, Int64, Utf8};
    fields(vec![
        ("id", Utf8),
        ("state_hash", Utf8),
        ("task", Utf8),
        ("task_version", Int32),
        ("data_source", Utf8),
        ("property", Utf8),
        ("level", Utf8),
        ("scene", Utf8),
        ("query", Utf8),
        ("difficulty", Float64),
        ("effort", Int64),
        ("split", Utf8),
        ("seed", Utf8),
        ("prompt", list(DataType::Struct(message()))),
        ("prompt_verl", list(DataType::Struct(message()))),
        ("images", list(DataType::Struct(picture()))),
        ("answer", Utf8),
        ("answer_kind", Utf8),
        ("domain", Utf8),
        ("contract", Utf8),
        ("chance", Float64),
        ("operations", list(Utf8)),
        ("budget", Int32),
        ("reference_length", Int32),
        ("trace", Utf8),
        ("ability", Utf8),
        ("reward_model", DataType::Struct(reward_model())),
        ("extra_info", DataType::Struct(extra_info())),
    ])
}

fn message() -> Fields {
    fields(vec![("role", DataType::Utf8), ("content", DataType::Utf8)])
}

fn picture() -> Fields {
    fields(vec![("bytes", DataType::Binary), ("path", DataType::Utf8)])
}

fn reward_model() -> Fields {
    fields(vec![("style", DataType::Utf8), ("ground_truth", DataType::Utf8)])
}

/// What a reward function needs beside the response and the answer. The item (state, marks and
/// query) is there where judging means running a plan.
fn extra_info() -> Fields {
    let text = ["split", "id", "task", "domain", "contract", "answer_kind", "seed", "item"];
    let mut all = vec![("index", DataType::Int64)];
    all.extend(text.map(|name| (name, DataType::Utf8)));
    fields(all)
}

fn fields(all: Vec<(&str, DataType)>) -> Fields {
    all.into_iter().map(|(name, kind)| Field::new(name, kind, true)).collect()
}

fn list(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(item, true)))
}

/// The rows as a batch; `first_index` is the number of the first one within its configuration
/// and split.
pub(super) fn encode(rows: &[Row], first_index: u64) -> Result<RecordBatch, ArrowError> {
    for row in rows {
        check_prompt(&row.record).map_err(external)?;
    }
    let text = |of: fn(&Record) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| of(&row.record))))
    };
    let owned = |of: fn(&Record) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| of(&row.record))))
    };
    let number = |of: fn(&Record) -> Option<u32>| -> Result<ArrayRef, ArrowError> {
        let numbers = rows.iter().map(|row| of(&row.record).map(small).transpose());
        Ok(Arc::new(numbers.collect::<Result<Int32Array, _>>()?))
    };
    let effort = rows.iter().map(|row| i64::try_from(row.record.effort).map_err(external));
    let plain = rows.iter().map(|row| row.record.prompt.clone()).collect();
    let verl = rows.iter().map(prompt_with_placeholders).collect();
    let columns: Vec<ArrayRef> = vec![
        owned(|r| r.id.to_string()),
        owned(|r| r.state_hash.to_string()),
        text(|r| &r.task),
        number(|r| Some(r.task_version))?,
        text(|r| &r.data_source),
        text(|r| r.property.name()),
        text(|r| &r.level),
        text(|r| &r.scene),
        text(|r| &r.query),
        Arc::new(Float64Array::from_iter_values(rows.iter().map(|r| r.record.difficulty.value()))),
        Arc::new(Int64Array::from(effort.collect::<Result<Vec<i64>, _>>()?)),
        text(|r| r.split.name()),
        text(|r| &r.seed),
        messages(plain)?,
        messages(verl)?,
        pictures(rows)?,
        text(|r| &r.answer),
        text(|r| r.answer_kind.name()),
        text(|r| &r.domain),
        text(|r| &r.contract),
        Arc::new(rows.iter().map(|row| row.record.chance).collect::<Float64Array>()),
        operations(rows)?,
        number(|r| r.budget)?,
        number(|r| r.reference_length)?,
        text(|r| &r.trace),
        text(|r| r.property.name()),
        Arc::new(StructArray::try_new(
            reward_model(),
            vec![repeated("rule", rows.len()), text(|r| &r.answer)],
            None,
        )?),
        Arc::new(StructArray::try_new(
            extra_info(),
            vec![
                Arc::new(Int64Array::from_iter_values(
                    (0..rows.len()).map(|at| first_index as i64 + at as i64),
                )),
                text(|r| r.split.name()),
                owned(|r| r.id.to_string()),
                text(|r| &r.task),
                text(|r| &r.domain),
                text(|r| &r.contract),
                text(|r| r.answer_kind.name()),
                text(|r| &r.seed),
                items(rows)?,
            ],
            None,
        )?),
    ];
    RecordBatch::try_new(schema(), columns)
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}

fn small(number: u32) -> Result<i32, ArrowError> {
    i32::try_from(number).map_err(external)
}

fn repeated(text: &str, count: usize) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(std::iter::repeat_n(text, count)))
}

fn list_array(lengths: Vec<usize>, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let item = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    Ok(Arc::new(ListArray::try_new(item, OffsetBuffer::from_lengths(lengths), values, None)?))
}

/// One user message a row.
fn messages(contents: Vec<String>) -> Result<ArrayRef, ArrowError> {
    let count = contents.len();
    let arrays = vec![repeated("user", count), Arc::new(StringArray::from(contents)) as ArrayRef];
    list_array(vec![1; count], Arc::new(StructArray::try_new(message(), arrays, None)?))
}

fn pictures(rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    let bytes = BinaryArray::from_iter_values(rows.iter().flat_map(|row| &row.pictures));
    let names = rows.iter().flat_map(|row| (0..row.pictures.len()).map(|index| row.picture_name(index)));
    let arrays: Vec<ArrayRef> = vec![Arc::new(bytes), Arc::new(StringArray::from_iter_values(names))];
    let lengths = rows.iter().map(|row| row.pictures.len()).collect();
    list_array(lengths, Arc::new(StructArray::try_new(picture(), arrays, None)?))
}

fn operations(rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    let names = StringArray::from_iter_values(rows.iter().flat_map(|row| &row.record.operations));
    list_array(rows.iter().map(|row| row.record.operations.len()).collect(), Arc::new(names))
}

fn items(rows: &[Row]) -> Result<ArrayRef, ArrowError> {
    let item = |row: &Row| -> Result<Option<String>, ArrowError> {
        if row.record.contract != Contract::Plan.to_json() {
            return Ok(None);
        }
        Ok(Some(row.record.parse_trace().map_err(external)?.item.get().to_owned()))
    };
    Ok(Arc::new(rows.iter().map(item).collect::<Result<StringArray, _>>()?))
}

/// Demands that a file has exactly the columns that [`encode`] writes.
pub(super) fn check_schema(found: &Schema) -> Result<(), Flaw> {
    let wanted = schema();
    for (ours, theirs) in wanted.fields().iter().zip(found.fields()) {
        ensure(ours == theirs, || {
            format!(
                "column {} of type {} should be {} of type {}",
                theirs.name(),
                theirs.data_type(),
                ours.name(),
                ours.data_type()
            )
        })?;
    }
    let (ours, theirs) = (wanted.fields().len(), found.fields().len());
    ensure(ours == theirs, || format!("there are {theirs} columns, {ours} are needed"))?;
    ensure(found.metadata().get(METADATA.0).is_some_and(|text| text == METADATA.1), || {
        format!("the schema metadata {} that makes loaders decode the pictures is missing", METADATA.0)
    })
}

/// The rows of a batch whose schema was checked. Columns that repeat others (`prompt_verl`,
/// `ability`, `reward_model`, `extra_info`) are not looked at: see [`differences`].
pub(super) fn decode(batch: &RecordBatch) -> Vec<Result<Row, BadRow>> {
    (0..batch.num_rows())
        .map(|at| {
            decode_row(batch, at)
                .map_err(|flaw| BadRow::new(&text_at(batch, "id", at).unwrap_or_default(), flaw))
        })
        .collect()
}

/// The columns of `batch` that are not what its rows make when they are written again.
pub(super) fn differences(batch: &RecordBatch, again: &RecordBatch) -> Vec<String> {
    let names = batch.schema_ref().fields().iter().map(|field| field.name().clone());
    let same = batch.columns().iter().zip(again.columns()).map(|(ours, theirs)| ours == theirs);
    names.zip(same).filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

fn decode_row(batch: &RecordBatch, at: usize) -> Result<Row, Flaw> {
    let mut map = Map::new();
    const TEXT: [&str; 15] = [
        "id",
        "state_hash",
        "task",
        "data_source",
        "property",
        "level",
        "scene",
        "query",
        "split",
        "seed",
        "answer",
        "answer_kind",
        "domain",
        "contract",
        "trace",
    ];
    for name in TEXT {
        map.insert(name.to_owned(), text_at(batch, name, at)?.into());
    }
    map.insert("prompt".to_owned(), prompt_at(batch, at)?.into());
    for name in ["task_version", "budget", "reference_length"] {
        let numbers = column(batch, name)?.as_primitive::<Int32Type>();
        map.insert(name.to_owned(), present(numbers, at, |at| numbers.value(at)).into());
    }
    for name in ["difficulty", "chance"] {
        let numbers = column(batch, name)?.as_primitive::<Float64Type>();
        map.insert(name.to_owned(), present(numbers, at, |at| numbers.value(at)).into());
    }
    let effort = column(batch, "effort")?.as_primitive::<Int64Type>();
    map.insert("effort".to_owned(), present(effort, at, |at| effort.value(at)).into());
    map.insert("operations".to_owned(), operations_at(batch, at)?.into());
    let record: Record = serde_json::from_value(Value::Object(map))
        .map_err(|e| Flaw::new(format!("the columns make no record: {e}")))?;
    Ok(Row { record, pictures: pictures_at(batch, at)? })
}

fn present<T>(array: &dyn Array, at: usize, value: impl FnOnce(usize) -> T) -> Option<T> {
    array.is_valid(at).then(|| value(at))
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ArrayRef, Flaw> {
    batch.column_by_name(name).ok_or_else(|| Flaw::new(format!("column {name} is missing")))
}

fn text_in(array: &ArrayRef, name: &str, at: usize) -> Result<String, Flaw> {
    ensure(array.is_valid(at), || format!("column {name} is null"))?;
    Ok(array.as_string::<i32>().value(at).to_owned())
}

fn text_at(batch: &RecordBatch, name: &str, at: usize) -> Result<String, Flaw> {
    text_in(column(batch, name)?, name, at)
}

fn list_at(batch: &RecordBatch, name: &str, at: usize) -> Result<ArrayRef, Flaw> {
    let lists = column(batch, name)?.as_list::<i32>();
    ensure(lists.is_valid(at), || format!("column {name} is null"))?;
    let values = lists.value(at);
    ensure(values.null_count() == 0, || format!("column {name} has a null in its list"))?;
    Ok(values)
}

fn prompt_at(batch: &RecordBatch, at: usize) -> Result<String, Flaw> {
    let messages = list_at(batch, "prompt", at)?;
    ensure(messages.len() == 1, || format!("the prompt has {} messages instead of 1", messages.len()))?;
    text_in(messages.as_struct().column(1), "prompt.content", 0)
}

fn operations_at(batch: &RecordBatch, at: usize) -> Result<Vec<String>, Flaw> {
    let names = list_at(batch, "operations", at)?;
    (0..names.len()).map(|index| text_in(&names, "operations", index)).collect()
}

fn pictures_at(batch: &RecordBatch, at: usize) -> Result<Vec<Vec<u8>>, Flaw> {
    let pictures = list_at(batch, "images", at)?;
    let bytes = pictures.as_struct().column(0);
    ensure(bytes.null_count() == 0, || "a picture has no bytes".to_owned())?;
    Ok(bytes.as_binary::<i32>().iter().flatten().map(<[u8]>::to_vec).collect())
}

/// What each column means, for the card, in the order of the columns.
pub(crate) const MEANINGS: &[(&str, &str)] = &[
    ("id", "hash of task, version, state, marks and query"),
    ("state_hash", "hash of the scene and its state alone; decides the split"),
    ("task", "which question over which scene"),
    ("task_version", "goes up whenever the same seed gives another record"),
    ("data_source", "`topotrace/` and the task: routes the reward in trainers"),
    ("property", "continuity, separation, order, enclosure or knots"),
    ("level", "easy, medium, hard, or custom for a difficulty between and beyond them"),
    ("scene", "what is drawn"),
    ("query", "the question's bounded argument, as JSON text"),
    ("difficulty", "0 is easy, 0.5 medium, 1 hard"),
    ("effort", "how much work a solver has"),
    ("split", "train, validation or test: a function of `state_hash`"),
    ("seed", "the build seed, as decimal text"),
    ("prompt", "one user message, without placeholders for pictures (TRL adds them itself)"),
    ("prompt_verl", "the same with one `<image>` a picture before the text"),
    ("images", "the pictures: RGB PNG without alpha"),
    ("answer", "the answer as JSON text: what stands after `\"answer\":` in a perfect response"),
    ("answer_kind", "integer, label, set, sequence or plan"),
    ("domain", "the legal answers, as JSON text"),
    ("contract", "how answers are judged and which rewards follow, as JSON text"),
    ("chance", "the probability that a blind guess is right; null for plans"),
    ("operations", "what a solver has to do"),
    ("budget", "the action budget of a planning task"),
    ("reference_length", "the length of the reference plan of a planning task"),
    (
        "trace",
        "generator, seeds, parameters, the whole state, the certificate, the style and where each mark is seen, as JSON text",
    ),
    ("ability", "the property again, under the name that verl uses"),
    ("reward_model", "`style` is `rule`, `ground_truth` the answer as JSON text"),
    ("extra_info", "what a reward function needs; `item` is there where judging means running a plan"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_nullable_and_explained() {
        let names: Vec<_> = schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names, MEANINGS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert!(schema().fields().iter().all(|field| field.is_nullable()));
        assert!(check_schema(&schema()).is_ok());
    }

    #[test]
    fn another_schema_is_named() {
        let mut fields: Vec<_> = schema().fields().iter().cloned().collect();
        fields[3] = Arc::new(Field::new("task_version", DataType::Utf8, true));
        let flaw = check_schema(&Schema::new(fields)).unwrap_err().to_string();
        assert!(flaw.contains("task_version") && flaw.contains("Int32"), "{flaw}");
        let flaw = check_schema(&Schema::new(schema().fields().clone())).unwrap_err().to_string();
        assert!(flaw.contains("huggingface"), "{flaw}");
    }
}

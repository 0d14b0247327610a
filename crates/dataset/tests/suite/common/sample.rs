//! A small dataset, and how a forger would change it.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, ListArray, RecordBatch, StringArray, StructArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use topotrace_core::Split;
use topotrace_dataset::{
    BuildOptions, MANIFEST, Manifest, Place, Plan, PlanOptions, Report, Selection, VerifyOptions, build,
    verify,
};

pub struct Sample {
    pub folder: TempDir,
    pub manifest: Manifest,
    pub ids: Vec<String>,
}

impl Sample {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let selection = Selection {
            tasks: vec!["dots/red".to_owned()],
            difficulties: vec![topotrace_core::Level::Hard.into()],
            counts: [(Split::Test, 4)].into(),
            ..Selection::default()
        };
        let options = PlanOptions { side: 128, ..PlanOptions::default() };
        let plan = Plan::of_selection(&super::registry(), &selection, options).unwrap();
        let manifest = build(&plan, folder.path(), &BuildOptions::default(), &mut |_| {}).unwrap();
        let mut sample = Sample { folder, manifest, ids: Vec::new() };
        let batch = sample.batch();
        sample.ids = batch["id"].as_string::<i32>().iter().flatten().map(str::to_owned).collect();
        sample
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.manifest.files[0].path)
    }

    pub fn batch(&self) -> RecordBatch {
        let file = fs::File::open(self.path()).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let schema = builder.schema().clone();
        // Batches come without the schema's metadata.
        builder.build().unwrap().next().unwrap().unwrap().with_schema(schema).unwrap()
    }

    pub fn write_manifest(&self) {
        let text = serde_json::to_string(&self.manifest).unwrap();
        fs::write(self.folder.path().join(MANIFEST), text).unwrap();
    }

    /// Writes the file anew and makes the manifest agree, as a careful forger would.
    pub fn forge(&mut self, batches: &[RecordBatch]) {
        let mut writer =
            ArrowWriter::try_new(fs::File::create(self.path()).unwrap(), batches[0].schema(), None).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.close().unwrap();
        let bytes = fs::read(self.path()).unwrap();
        let facts = &mut self.manifest.files[0];
        facts.bytes = bytes.len() as u64;
        facts.rows = batches.iter().map(|batch| batch.num_rows() as u64).sum();
        facts.sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        self.write_manifest();
    }

    pub fn verify(&self) -> Report {
        verify(self.folder.path(), &super::registry(), &VerifyOptions::default(), &mut |_| {}).unwrap()
    }

    /// The reasons at one place; fails when there are none.
    pub fn reasons(&self, wanted: impl Fn(&Place) -> bool) -> String {
        let report = self.verify();
        let found = report.problems.iter().find(|problem| wanted(&problem.place));
        found.unwrap_or_else(|| panic!("not found among {:#?}", report.problems)).to_string()
    }

    /// All that is wrong, in one text.
    pub fn problems(&self, options: &VerifyOptions) -> String {
        let report = verify(self.folder.path(), &super::registry(), options, &mut |_| {}).unwrap();
        report.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    pub fn record_reasons(&self, row: usize) -> String {
        self.reasons(|place| matches!(place, Place::Record { id, .. } if *id == self.ids[row]))
    }

    pub fn file_reasons(&self) -> String {
        self.reasons(|place| *place == Place::File(self.manifest.files[0].path.clone()))
    }

    pub fn manifest_reasons(&self) -> String {
        self.reasons(|place| *place == Place::Manifest)
    }
}

fn replaced(batch: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let at = batch.schema().index_of(name).unwrap();
    let mut columns = batch.columns().to_vec();
    columns[at] = column;
    RecordBatch::try_new(batch.schema(), columns).unwrap()
}

/// The batch with the texts of one column changed; `None` becomes null.
pub fn edited(batch: &RecordBatch, name: &str, edit: impl FnOnce(&mut Vec<Option<String>>)) -> RecordBatch {
    let mut texts: Vec<_> =
        batch[name].as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect();
    edit(&mut texts);
    replaced(batch, name, Arc::new(StringArray::from(texts)))
}

pub fn with_picture(batch: &RecordBatch, row: usize, edit: impl FnOnce(&[u8]) -> Vec<u8>) -> RecordBatch {
    let lists = batch["images"].as_list::<i32>();
    let pictures = lists.values().as_struct();
    let mut bytes: Vec<Vec<u8>> =
        pictures.column(0).as_binary::<i32>().iter().flatten().map(<[u8]>::to_vec).collect();
    bytes[row] = edit(&bytes[row]);
    let arrays: Vec<ArrayRef> =
        vec![Arc::new(BinaryArray::from_iter_values(bytes)), pictures.column(1).clone()];
    let pictures = StructArray::try_new(pictures.fields().clone(), arrays, None).unwrap();
    let arrow_schema::DataType::List(item) = lists.data_type() else { panic!("no list") };
    let lists = ListArray::try_new(item.clone(), lists.offsets().clone(), Arc::new(pictures), None).unwrap();
    replaced(batch, "images", Arc::new(lists))
}

//! One line per run, for spreadsheets and scripts (RFC 4180).

use crate::record::Record;
use crate::words;
use std::borrow::Cow;

const HEAD: &str = "task,family,property,expected,preset,repeat,status,category,cpu_s,wall_s,memory_bytes,time_limit_s,\
                    cpu_limit_s,memory_limit_bytes,started,tool,args,counters,message\n";

/// All runs, in the order in which they finished.
pub fn write(records: &[Record]) -> String {
    let mut text = HEAD.to_owned();
    for record in records {
        let fields = [
            record.task.clone(),
            record.family.clone(),
            record.property.clone(),
            record.expected.to_string(),
            record.column.clone(),
            record.repeat.to_string(),
            record.status.clone(),
            record.category.to_string(),
            format!("{:.6}", record.cpu),
            format!("{:.6}", record.wall),
            record.memory.to_string(),
            record.time_limit.to_string(),
            record.cpu_limit.map_or(String::new(), |limit| limit.to_string()),
            record.memory_limit.to_string(),
            record.started.clone(),
            record.tool.clone(),
            words::join(&record.args),
            record.counters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; "),
            record.message.clone().unwrap_or_default(),
        ];
        text.push_str(&fields.each_ref().map(|field| quoted(field)).join(","));
        text.push('\n');
    }
    text
}

/// A field, in quotes if it needs them.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn fields_with_commas_and_quotes() {
        let odd = Record {
            message: Some("a.c:1: error: \"x\", not\r\ny".to_owned()),
            ..record("locks/a,b.yml", "bdd", "error(no result, exit code 3)", true, 1.5)
        };
        let text = write(&[odd]);
        let line = text.strip_prefix(HEAD).unwrap();
        assert!(line.starts_with(
            "\"locks/a,b.yml\",locks,unreach-call,true,bdd,0,\"error(no result, exit code 3)\",error,1.500000,"
        ));
        assert!(line.ends_with(",--analysis bdd,,\"a.c:1: error: \"\"x\"\", not\r\ny\"\n"), "{line}");
    }

    #[test]
    fn as_many_fields_as_names() {
        let text = write(&[record("locks/a.yml", "bdd", "true", true, 1.5)]);
        let counts: Vec<_> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(counts, [19, 19]);
    }
}

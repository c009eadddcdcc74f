/** The width of the formatter, which leaves long strings, templates and comments as they are. */
const MAX_COLUMNS = 110;

/** Returns `file:line` of each line that is too long. */
export function findLongLines(sources: ReadonlyMap<string, string>): readonly string[] {
  return [...sources].flatMap(([file, source]) =>
    source
      .split('\n')
      .flatMap((line, index) => ([...line].length > MAX_COLUMNS ? [`${file}:${index + 1}`] : [])),
  );
}

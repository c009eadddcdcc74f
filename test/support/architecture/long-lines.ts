/** The width of the formatter, which leaves long strings, templates and comments as they are. */
const MAX_COLUMNS = 110;

/** An import of one name, which the formatter cannot break. */
const UNBREAKABLE = /^import (type )?\{ \w+ \} from '[^']+';$/;

/** Returns `file:line` of each line that is too long. */
export function findLongLines(sources: ReadonlyMap<string, string>): readonly string[] {
  return [...sources].flatMap(([file, source]) =>
    source
      .split('\n')
      .flatMap((line, index) =>
        [...line].length > MAX_COLUMNS && !UNBREAKABLE.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  );
}

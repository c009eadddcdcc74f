/** Quotes text as a literal; the same on every supported database. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes the name of a table, column or schema; the same on every supported database. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `CASE subject WHEN … THEN … ELSE … END`, or only `otherwise` if there are no branches. */
export function switchOn(
  subject: string,
  branches: Iterable<readonly [when: string, then: string]>,
  otherwise: string,
): string {
  const cases = [...branches].map(([when, then]) => `WHEN ${quoteText(when)} THEN ${then}`);
  return cases.length === 0 ? otherwise : `CASE ${subject} ${cases.join(' ')} ELSE ${otherwise} END`;
}

export function quoteTexts(texts: readonly string[]): string {
  return texts.map(quoteText).join(', ');
}

/** Joins the clauses of a statement into one line. */
export function joinClauses(...clauses: readonly string[]): string {
  return clauses.filter((clause) => clause !== '').join(' ');
}

import { getOrCreate } from '../../lib/collections.js';
import { agree, countNoun } from '../../lib/text.js';
import { packageVersion } from '../../project/package-manifest.js';
import { RULES } from '../../transfer/checks/check.js';
import type { ContentFinding } from '../../transfer/checks/check.js';
import type { CheckReport } from '../../transfer/checks/run-checks.js';
import type { Style } from '../terminal/terminal.js';

export const FINDING_FORMATS = ['text', 'json', 'github', 'sarif'] as const;
type FindingFormat = (typeof FINDING_FORMATS)[number];

/** A report to print. */
interface PrintedReport {
  readonly report: CheckReport;
  /** Returns the schema file of a type, relative to the project. Null: it has none. */
  readonly fileOf: (type: string) => string | null;
  readonly style: Style;
}

const versionText = ({ locale, status }: ContentFinding): string => {
  const parts = [locale, status].filter((part) => part !== null);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};

const placeText = (finding: ContentFinding): string =>
  `${finding.type} ${finding.documentId}${versionText(finding)}`;

const messageText = ({ path, message }: ContentFinding): string =>
  path === '' ? message : `${path}: ${message}`;

/** Returns a sentence with the number of problems, and the number of those that the report omits. */
export function summarize({ findings, errors, warnings, documents }: CheckReport): string {
  const omitted = errors + warnings - findings.length;
  const counts = `${countNoun(errors, 'error')} and ${countNoun(warnings, 'warning')}`;
  const summary = `${counts} in ${countNoun(documents, 'document')}.`;
  if (omitted === 0) return summary;
  return `${summary} ${countNoun(omitted, 'finding')} ${agree(omitted, 'is', 'are')} not shown; see --limit.`;
}

const printText = ({ report, style }: PrintedReport): string => {
  const places = new Map<string, ContentFinding[]>();
  for (const finding of report.findings) getOrCreate(places, placeText(finding), () => []).push(finding);
  const lines = [...places].flatMap(([place, findings]) => [
    style.bold(place),
    ...findings.map((finding) => {
      const level = finding.level === 'error' ? style.red('error') : style.yellow('warning');
      return `  ${level} ${messageText(finding)} ${style.dim(`[${finding.rule}]`)}`;
    }),
  ]);
  return [...lines, summarize(report)].join('\n');
};

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Prints workflow commands of GitHub Actions, which become annotations. */
const printGithub = ({ report, fileOf }: PrintedReport): string =>
  report.findings
    .map((finding) => {
      const file = fileOf(finding.type);
      const properties = [
        ...(file === null ? [] : [`file=${escapeProperty(file)}`]),
        `title=${escapeProperty(finding.rule)}`,
      ];
      const text = `${placeText(finding)} ${messageText(finding)}`;
      return `::${finding.level} ${properties.join(',')}::${escapeData(text)}`;
    })
    .join('\n');

const sarifLocation = (finding: ContentFinding, file: string | null) => {
  const { type, documentId, locale, path } = finding;
  const names = [type, documentId, ...(locale === null ? [] : [locale]), ...(path === '' ? [] : [path])];
  return {
    ...(file === null ? {} : { physicalLocation: { artifactLocation: { uri: encodeURI(file) } } }),
    logicalLocations: [{ fullyQualifiedName: names.join('/'), kind: 'member' }],
  };
};

/** Prints a log in SARIF 2.1.0. */
const printSarif = ({ report, fileOf }: PrintedReport): string => {
  const descriptions: Readonly<Record<string, { readonly description: string }>> = RULES;
  const names = [...new Set([...Object.keys(RULES), ...report.findings.map(({ rule }) => rule)])];
  const rules = names.map((id) => ({ id, shortDescription: { text: descriptions[id]?.description ?? id } }));
  const results = report.findings.map((finding) => ({
    ruleId: finding.rule,
    level: finding.level,
    message: { text: `${placeText(finding)} ${messageText(finding)}` },
    locations: [sarifLocation(finding, fileOf(finding.type))],
  }));
  const driver = { name: 'galley', version: packageVersion(), rules };
  return JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver }, results }],
    },
    null,
    2,
  );
};

/** Prints the findings of `cms content check` in a format. */
export function printFindings(format: FindingFormat, printed: PrintedReport): string {
  switch (format) {
    case 'json':
      return JSON.stringify(printed.report, null, 2);
    case 'github':
      return printGithub(printed);
    case 'sarif':
      return printSarif(printed);
    default:
      return printText(printed);
  }
}

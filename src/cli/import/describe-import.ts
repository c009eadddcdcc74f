import { countNoun } from '../../lib/text.js';
import { MEGABYTE } from '../../lib/units.js';
import type { ExportPlan } from '../../project/archives/export-content.js';
import type { StrapiCheck } from '../../project/scaffold/strapi-project.js';
import { printRunningFiles } from '../../strapi/report/project-report.js';
import type { Notice } from '../../strapi/report/project-report.js';
import type { Finding, SchemaDifference } from '../../transfer/import/import-model.js';
import type { ImportPlan, PlannedType } from '../../transfer/import/plan-import.js';
import type { Outcome } from '../outcome.js';
import type { DataLoss } from '../prompts/confirmation.js';
import type { Style } from '../terminal/terminal.js';
import { printTable } from '../terminal/text-layout.js';
import type { TableColumn } from '../terminal/text-layout.js';

type ExportedType = ExportPlan['types'][number];

const EXPORT_COLUMNS: readonly TableColumn<ExportedType>[] = [
  { header: 'content-type', value: ({ uid }) => uid },
  { header: 'documents', value: ({ documents }) => documents, align: 'right' },
  { header: 'versions', value: ({ versions }) => versions, align: 'right' },
];

const TYPE_COLUMNS: readonly TableColumn<PlannedType>[] = [
  ...EXPORT_COLUMNS,
  { header: 'existing', value: ({ existing }) => existing, align: 'right', optional: true },
];

const printDifference = ({ schema, attribute, message }: SchemaDifference): string =>
  `  ${schema}${attribute === null ? '' : ` ${attribute}`} ${message}`;

const printFinding = ({ what, reason, count }: Finding): string => `  ${what} (${count}): ${reason}`;

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [title, ...lines].join('\n');

const printFiles = ({ rows, objects, bytes }: ImportPlan['files']): string => {
  const size = `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return rows === 0 ? '' : `${countNoun(rows, 'file')} in ${countNoun(objects, 'stored object')}, ${size}`;
};

/** Prints the plan or the result of an import. */
export function printImport(plan: ImportPlan, style: Style): string {
  const maker = [plan.product, ...(plan.version === null ? [] : [plan.version])].join(' ');
  const from = `${plan.source}, created by ${maker}`;
  return [
    plan.resumes ? `Continuing the interrupted import of ${from}` : from,
    printTable(plan.types, TYPE_COLUMNS, style),
    printFiles(plan.files),
    plan.locales.length === 0 ? '' : `Locales: ${plan.locales.join(', ')}`,
    section('Schema differences:', plan.differences.map(printDifference)),
    section('Omitted or changed:', plan.findings.map(printFinding)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Prints the plan of an export. */
export function printExport({ types, files }: ExportPlan, style: Style): string {
  const table = types.length === 0 ? 'No documents.' : printTable(types, EXPORT_COLUMNS, style);
  return [table, printFiles(files)].filter((part) => part !== '').join('\n\n');
}

/** Returns the content of Strapi that the import loses, which the user must accept. */
export function importLosses({ findings }: ImportPlan): readonly DataLoss[] {
  return findings
    .filter(({ isLoss }) => isLoss)
    .map(({ what, reason, count }) => {
      const [type = what, ...path] = what.split(' ');
      return { what, type, path: path.length === 0 ? null : path.join(' '), rows: count, reason };
    });
}

const NOTICE_COLUMNS: readonly TableColumn<Notice>[] = [
  { header: 'where', value: ({ place }) => place },
  { header: 'why', value: ({ reason }) => reason },
];

const PLUGIN_COLUMNS: readonly TableColumn<StrapiCheck['plugins'][number]>[] = [
  { header: 'plugin', value: ({ name }) => name },
  { header: 'here', value: ({ state }) => state },
  { header: 'why', value: ({ reason }) => reason },
];

const ROUTE_COLUMNS: readonly TableColumn<StrapiCheck['routes'][number]>[] = [
  { header: 'method', value: ({ method }) => method },
  { header: 'path', value: ({ path }) => path },
  { header: 'file', value: ({ place }) => place },
];

const checkSection = (title: string, rows: number, table: string): string =>
  rows === 0 ? '' : `${title}\n${table}`;

/**
 * Describes the parts of a Strapi project that would run. The exit code is 1 if mistakes would prevent the
 * start.
 */
export function describeCheck(check: StrapiCheck, style: Style): Outcome {
  const notices = (title: string, rows: readonly Notice[]): string =>
    checkSection(title, rows.length, printTable(rows, NOTICE_COLUMNS, style));
  const { routes, plugins } = check;
  const schemas = `${countNoun(check.types, 'content-type')}, ${countNoun(check.components, 'component')}`;
  const text = [
    `${schemas}\n${printRunningFiles(check)}`,
    checkSection('Custom routes', routes.length, printTable(routes, ROUTE_COLUMNS, style)),
    checkSection('Plugins', plugins.length, printTable(plugins, PLUGIN_COLUMNS, style)),
    notices('Prevents the start', check.errors),
    notices('Does not run', check.notRunning),
    notices('Warnings', check.warnings),
    notices('Not needed', check.notNeeded),
  ];
  return {
    json: check,
    text: text.filter((part) => part !== '').join('\n\n'),
    exitCode: check.errors.length === 0 ? 0 : 1,
  };
}

import type { ExportPlan } from '../../project/archives/export-content.js';
import type { SchemaDifference } from '../../transfer/import/compare-schemas.js';
import type { ImportPlan, PlannedType } from '../../transfer/import/plan-import.js';
import type { Finding } from '../../transfer/import/tally.js';
import type { DataLoss } from '../prompts/confirmation.js';
import type { Style } from '../terminal/style.js';
import { printTable } from '../terminal/table.js';
import type { TableColumn } from '../terminal/table.js';
import { countNoun } from '../../lib/count-noun.js';

const MEGABYTE = 1024 * 1024;

type ExportedType = ExportPlan['types'][number];

const EXPORT_COLUMNS: readonly TableColumn<ExportedType>[] = [
  { header: 'content-type', value: ({ uid }) => uid },
  { header: 'documents', value: ({ documents }) => documents, align: 'right' },
  { header: 'versions', value: ({ versions }) => versions, align: 'right' },
];

const TYPE_COLUMNS: readonly TableColumn<PlannedType>[] = [
  ...EXPORT_COLUMNS,
  { header: 'there already', value: ({ existing }) => existing, align: 'right', optional: true },
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

/** Prints what an import does, or has done. */
export function printImport(plan: ImportPlan, style: Style): string {
  const maker = [plan.product, ...(plan.version === null ? [] : [plan.version])].join(' ');
  const from = `${plan.source}, made by ${maker}`;
  return [
    plan.resumes ? `Going on with the interrupted import of ${from}` : from,
    printTable(plan.types, TYPE_COLUMNS, style),
    printFiles(plan.files),
    plan.locales.length === 0 ? '' : `Locales: ${plan.locales.join(', ')}`,
    section('Where the schemas differ:', plan.differences.map(printDifference)),
    section('Left out or changed:', plan.findings.map(printFinding)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Prints what an export would write. */
export function printExport({ types, files }: ExportPlan, style: Style): string {
  const table = types.length === 0 ? 'No documents.' : printTable(types, EXPORT_COLUMNS, style);
  return [table, printFiles(files)].filter((part) => part !== '').join('\n\n');
}

/** Returns what has to be allowed, since content is lost that Strapi has. */
export function importLosses({ findings }: ImportPlan): readonly DataLoss[] {
  return findings
    .filter(({ isLoss }) => isLoss)
    .map(({ what, reason, count }) => {
      const [type = what, ...path] = what.split(' ');
      return { what, type, path: path.length === 0 ? null : path.join(' '), rows: count, reason };
    });
}

import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { StoredScalar } from '../lib/stored-value.js';
import type { ScalarAttribute, VersionStatus } from '../model/model.js';
import type { FaultList } from '../validation/faults.js';
import { isUnique } from '../validation/read-scalar.js';
import type { Probe } from './probe.js';
import type { FieldValues } from './rows/table-statements.js';
import type { VersionRow } from './version-row.js';
import { primaryRow, primaryStatus, publishedRow } from './write-scope.js';
import type { WriteScope } from './write-scope.js';

const isNews = (row: VersionRow | undefined, field: string, value: unknown): boolean => row === undefined || !isDeepStrictEqual(row.values[field], value);

/** The statuses in which the value is new to the document. */
const statusesToCheck = (scope: WriteScope, { column }: ScalarAttribute, value: unknown): readonly VersionStatus[] => {
  const primary: readonly VersionStatus[] = isNews(primaryRow(scope), column.field, value) ? [primaryStatus(scope.type)] : [];
  const isPublished = scope.type.draftAndPublish && scope.publish && isNews(publishedRow(scope), column.field, value);
  return isPublished ? [...primary, 'published'] : primary;
};

const localesToCheck = (scope: WriteScope, attribute: ScalarAttribute): readonly string[] =>
  attribute.localized || !scope.type.localized ? [scope.locale] : [...new Set([scope.locale, ...scope.rows.map(({ locale }) => locale)])];

/** Asks whether other documents have the unique values that are about to be written, per locale and status; takes them down as faults. */
export function askUniques(probe: Probe, scope: WriteScope, content: FieldValues, faults: FaultList): void {
  const { dialect } = probe;
  for (const attribute of Object.values(scope.type.attributes)) {
    if (attribute.family !== 'scalar' || !isUnique(attribute)) continue;
    const { name, field, kind } = attribute.column;
    const value = (content[field] ?? null) as StoredScalar;
    const statuses = value === null ? [] : statusesToCheck(scope, attribute, value);
    if (statuses.length === 0) continue;
    const locales = localesToCheck(scope, attribute);
    let isTaken = false;
    probe.add({
      select: { number1: sql`id` },
      from: sql`${sql.id(scope.type.storage.version.table)} where ${sql.id(name)} = ${dialect.parameter(kind, dialect.encode(kind, value))} and ${dialect.among(sql`locale`, 'text', dialect.encodeList('text', locales))} and ${dialect.among(sql`status`, 'text', dialect.encodeList('text', statuses))} and document_id <> ${scope.documentId}`,
      onRow: () => {
        if (!isTaken) faults.add([attribute.name], 'must be unique: another document has this value');
        isTaken = true;
      },
    });
  }
}

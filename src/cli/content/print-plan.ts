import type { Plan, PlannedUnit } from '../../content-files/plan.js';
import { cellText } from './print-value.js';

/** The most characters of a value that a line of a plan shows. */
const VALUE_LENGTH = 60;

interface FieldChange {
  readonly attribute: string;
  readonly version: 'draft' | 'published';
  readonly before: unknown;
  readonly after: unknown;
}

interface PlannedChange {
  readonly actions: readonly string[];
  /** Null: the document has no file. */
  readonly file: string | null;
  readonly type: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly fields: readonly FieldChange[];
}

const actionsOf = ({ writes, published, draft }: PlannedUnit): readonly string[] => {
  const actions = writes.flatMap(({ action, status }) =>
    status === 'published' && (published === draft || action !== 'create') ? [action, 'publish'] : [action],
  );
  return [...new Set(actions)];
};

const fieldsOf = ({ writes, current, file }: PlannedUnit): readonly FieldChange[] =>
  writes.flatMap(({ data = {}, status }) => {
    const version = status === 'published' ? 'published' : 'draft';
    const before = (version === 'published' ? current?.published : null) ?? current?.draft ?? {};
    return Object.entries(data)
      .filter(([, after]) => current !== null || (after !== null && cellText(after) !== '[]'))
      .map(([attribute, after]) => ({
        attribute,
        version: file.type.draftAndPublish ? version : 'published',
        before: before[attribute] ?? null,
        after,
      }));
  });

/** Returns what a push does, as plain values. */
export function planChanges({ units, missing }: Plan, deletes: boolean): readonly PlannedChange[] {
  const changed = units.filter(({ writes }) => writes.length > 0);
  const changes = changed.map((unit) => ({
    actions: actionsOf(unit).filter((action) => action !== 'publish' || unit.file.type.draftAndPublish),
    file: unit.file.path,
    type: unit.file.type.uid,
    documentId: unit.file.documentId,
    locale: unit.locale,
    fields: fieldsOf(unit),
  }));
  const deletions = (deletes ? missing : []).map(({ type, documentId, locale }) => ({
    actions: ['delete'],
    file: null,
    type: type.uid,
    documentId,
    locale,
    fields: [],
  }));
  return [...changes, ...deletions];
}

const printSide = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
};

const printChange = ({ actions, file, type, documentId, locale, fields }: PlannedChange): string =>
  [
    `${actions.join(', ')} ${file ?? `${type} ${documentId}${locale === null ? '' : ` (${locale})`}`}`,
    ...fields.map(({ attribute, version, before, after }) => {
      const suffix = fields.some((field) => field.version !== version) ? ` (${version})` : '';
      return `  ${attribute}${suffix}: ${printSide(before)} → ${printSide(after)}`;
    }),
  ].join('\n');

/** Prints a plan: what is done with each file, and which values change. */
export function printPlan(changes: readonly PlannedChange[]): string {
  return changes.map(printChange).join('\n');
}

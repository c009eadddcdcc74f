import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createError } from '../../errors/catalogue.js';
import { agree, countNoun } from '../../lib/text.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { basePaths } from '../../transfer/files/base-files.js';
import type { FileConflict } from '../../transfer/files/conflict-files.js';
import { removesDeleted } from '../../transfer/files/mark-files.js';
import { filesOf } from '../../transfer/files/merge-units.js';
import type { ConflictChoice } from '../../transfer/files/merge-units.js';
import type { Plan, PlannedUnit } from '../../transfer/files/plan.js';
import { assertFolders } from '../../transfer/files/read-folder.js';
import { cellText } from './print-value.js';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The content-types whose files a command processes. */
export const fileTypesArgument = {
  types: Args.string({
    multiple: true,
    description: 'Content-types, such as article or api::article.article. [default: all of the project]',
  }),
};

/** Returns the named types, or all types of the project. */
export function fileTypes(
  { types }: ContentModel,
  names: readonly string[] | undefined,
): readonly ContentType[] {
  const projectTypes = types.filter(({ origin }) => origin === 'project');
  return names === undefined || names.length === 0
    ? projectTypes
    : [...new Set(names.map((name) => resolveType(projectTypes, name)))];
}

/**
 * Returns the named types, or all types that have a folder.
 *
 * @throws `cli/invalid-usage` if the root folder is missing; `content/rejected-file` if files are in a folder
 *   of no type
 */
export async function typesWithFiles(
  model: ContentModel,
  names: readonly string[] | undefined,
  root: string,
): Promise<readonly ContentType[]> {
  if (!isFolder(root))
    throw createError('cli/invalid-usage', {
      reason: `There is no folder ${root}.`,
      remedy: 'Write it with cms content pull, or pass another folder with --from.',
    });
  const types = fileTypes(model, names);
  if (names !== undefined && names.length > 0) return types;
  await assertFolders(root, model);
  return types.filter(({ singularName }) => isFolder(join(root, singularName)));
}

/** The flags that resolve conflicts between files and database. */
export const conflictFlags = {
  ours: Flags.boolean({
    description: 'Resolve conflicts with the values of the files.',
    exclusive: ['theirs'],
  }),
  theirs: Flags.boolean({
    description: 'Resolve conflicts with the values of the database.',
    exclusive: ['ours'],
  }),
};

/** Returns the side that wins conflicts. */
export function conflictChoice({
  ours,
  theirs,
}: {
  readonly ours: boolean;
  readonly theirs: boolean;
}): ConflictChoice {
  if (ours) return 'file';
  return theirs ? 'database' : null;
}

/** The flag that lets a push delete. */
export const deleteFlag = Flags.boolean({ description: 'Delete documents and locales that have no file.' });

/**
 * Describes the documents without files, which a push without {@link deleteFlag} keeps. Empty if there are
 * none.
 */
export function describeMissing({ missing }: Pick<Plan, 'missing'>): string {
  const { length } = missing;
  if (length === 0) return '';
  const versions = countNoun(length, 'version');
  const [has, them] = [agree(length, 'has', 'have'), agree(length, 'it', 'them')];
  return `${versions} in the database ${has} no file. --delete deletes ${them}.`;
}

/** The maximum number of characters of a value in a line of a plan. */
const VALUE_LENGTH = 60;

/** The number of characters of long values that are shown before the first difference. */
const CONTEXT = 20;

/** The change of one value. */
export interface FieldChange {
  readonly attribute: string;
  readonly version: 'draft' | 'published';
  readonly before: unknown;
  readonly after: unknown;
}

interface PlannedChange {
  readonly actions: readonly string[];
  /** Null if the document has no file. */
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

const fieldChanges = ({ writes, current, file }: PlannedUnit): readonly FieldChange[] =>
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

/** Returns the changes of a push, as plain values. */
export function planChanges({ units, missing, media }: Plan, deletes: boolean): readonly PlannedChange[] {
  const changed = units.filter(({ writes }) => writes.length > 0);
  const changes = changed.map((unit) => ({
    actions: actionsOf(unit).filter((action) => action !== 'publish' || unit.file.type.draftAndPublish),
    file: unit.file.path,
    type: unit.file.type.uid,
    documentId: unit.file.documentId,
    locale: unit.locale,
    fields: fieldChanges(unit),
  }));
  const deletions = (deletes ? missing : []).map(({ type, documentId, locale }) => ({
    actions: ['delete'],
    file: null,
    type: type.uid,
    documentId,
    locale,
    fields: [],
  }));
  const uploads = media.changes.map(({ action, path, documentId }) => ({
    actions: [action],
    file: path,
    type: FILE_UID,
    documentId,
    locale: null,
    fields: [],
  }));
  return [...uploads, ...changes, ...deletions];
}

const printSide = (text: string, from: number): string => {
  const end = from + VALUE_LENGTH;
  return `${from === 0 ? '' : '…'}${text.slice(from, end)}${text.length > end ? '…' : ''}`;
};

/** Prints two values from their first difference, since long ones may start with the same text. */
const printSides = (before: unknown, after: unknown): string => {
  const one = JSON.stringify(before) ?? 'null';
  const other = JSON.stringify(after) ?? 'null';
  let common = 0;
  while (common < one.length && one[common] === other[common]) common += 1;
  const from = Math.max(one.length, other.length) <= VALUE_LENGTH ? 0 : Math.max(0, common - CONTEXT);
  return `${printSide(one, from)} → ${printSide(other, from)}`;
};

/** Prints the change of one value in one line. */
export function printField({ attribute, before, after }: Omit<FieldChange, 'version'>): string {
  return `${attribute}: ${printSides(before, after)}`;
}

const printChange = (
  { actions, file, type, documentId, locale, fields }: PlannedChange,
  nameLink: (attribute: string, value: unknown) => unknown,
): string =>
  [
    `${actions.join(', ')} ${file ?? `${type} ${documentId}${locale === null ? '' : ` (${locale})`}`}`,
    ...fields.map(({ attribute, version, before, after }) => {
      const suffix = fields.some((field) => field.version !== version) ? ` (${version})` : '';
      const named = { before: nameLink(attribute, before), after: nameLink(attribute, after) };
      return `  ${printField({ attribute: `${attribute}${suffix}`, ...named })}`;
    }),
  ].join('\n');

/**
 * Prints the changes of a plan: the action for each file, and the changed values. Linked documents appear
 * with their names if they have names.
 */
export function printPlan(
  { units, nameLinks }: Pick<Plan, 'units' | 'nameLinks'>,
  changes: readonly PlannedChange[],
): string {
  const types = new Map(units.map(({ file }) => [file.type.uid, file.type]));
  return changes
    .map((change) => {
      const type = types.get(change.type);
      return printChange(change, (attribute, value) =>
        type === undefined ? value : nameLinks(type, { [attribute]: value })[attribute],
      );
    })
    .join('\n');
}

/** A change of a file by a push. */
interface FileUpdate {
  readonly action: 'merge' | 'remove' | 'restore';
  readonly file: string;
  /** The attributes whose values the file takes from the database. */
  readonly attributes: readonly string[];
}

/** Returns the changes that a push makes to files, as plain values. */
export function fileUpdates(plan: Plan): readonly FileUpdate[] {
  const merged = plan.units.flatMap(({ file, merge }): readonly FileUpdate[] =>
    merge === null || merge.updates.length === 0
      ? []
      : [{ action: 'merge', file: file.path, attributes: merge.updates }],
  );
  const removed = (removesDeleted(plan) ? plan.deleted : [])
    .flatMap(filesOf)
    .map(({ path }): FileUpdate => ({ action: 'remove', file: path, attributes: [] }));
  const restored = plan.restored.map(({ base }): FileUpdate => ({
    action: 'restore',
    file: basePaths(base)[0] ?? '',
    attributes: [],
  }));
  return [...merged, ...removed, ...restored];
}

/** Prints the changes that a push makes to files. */
export function printFileUpdates(updates: readonly FileUpdate[]): string {
  return updates
    .map(({ action, file, attributes }) =>
      action === 'merge'
        ? `merge ${file}\n  from the database: ${attributes.join(', ')}`
        : `${action} file ${file}`,
    )
    .join('\n');
}

/** Returns conflicts as plain values, with the lines of the present files. */
export function conflictValues(
  conflicts: readonly FileConflict[],
): readonly { readonly file: string; readonly line: number; readonly attribute: string }[] {
  return conflicts.map(({ file, fileLine, attribute }) => ({ file, line: fileLine, attribute }));
}

/**
 * Describes changed files that a push cannot merge, since they have no base of the database. Empty if there
 * are none.
 */
export function describeUnmerged({ units }: Plan): string {
  const { length } = units.filter(
    ({ base, current, writes, file }) =>
      base === null && current !== null && writes.length > 0 && !file.isNew,
  );
  if (length === 0) return '';
  const [has, its] = [agree(length, 'has', 'have'), agree(length, 'Its values', 'Their values')];
  return (
    `${countNoun(length, 'changed file')} ${has} no base of this database. ${its} replace those in the ` +
    'database. To merge changes, run cms content pull before you edit files.'
  );
}

/** Describes the files of deleted documents that a push skips. Empty if there are none. */
export function describeDeleted(plan: Plan): string {
  const { length } = plan.deleted;
  if (length === 0 || removesDeleted(plan)) return '';
  const were = countNoun(length, 'document was', 'documents were');
  const files = agree(length, 'its file', 'their files');
  return `${were} deleted from the database. --delete removes ${files}, --ours creates the content again.`;
}

import { isRecord } from '../../lib/records.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, Uid } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';

/** The content of a version in the form of an input: links are documentIds, components have no ids. */
export type VersionContent = Readonly<Record<string, unknown>>;

/** Selects the content of a version to keep. */
export interface ContentChoice {
  /** Default: all attributes are kept. */
  readonly keepsAttribute?: (path: readonly string[], attribute: Attribute) => boolean;
  readonly keepsLink: (type: Uid, documentId: string, path: readonly string[]) => boolean;
  /** Called for values that the schema no longer has. */
  readonly onGone: (path: readonly string[]) => void;
}

const mapEach = (value: unknown, map: (item: unknown) => readonly unknown[]): unknown =>
  Array.isArray(value) ? value.flatMap(map) : (map(value)[0] ?? null);

/** Reads a link of a record or of a version. */
const readLink = (
  attribute: Attribute,
  value: unknown,
): { readonly type: Uid; readonly documentId: string } | null => {
  const type = isRecord(value) ? value['__type'] : undefined;
  const documentId = isRecord(value) ? value['documentId'] : value;
  const target = typeof type === 'string' ? type : 'target' in attribute ? attribute.target : null;
  return typeof target === 'string' && typeof documentId === 'string' ? { type: target, documentId } : null;
};

const linkOf = (
  attribute: Attribute,
  value: unknown,
  { keepsLink }: ContentChoice,
  path: readonly string[],
): readonly unknown[] => {
  const link = readLink(attribute, value);
  if (link === null || !keepsLink(link.type, link.documentId, path)) return [];
  return [
    isRecord(value) && '__type' in value
      ? { __type: link.type, documentId: link.documentId }
      : link.documentId,
  ];
};

const componentsOf = (
  model: ContentModel,
  attribute: Attribute,
  value: unknown,
  choice: ContentChoice,
  path: readonly string[],
): readonly unknown[] => {
  if (!isRecord(value)) return [];
  const isZone = attribute.family === 'dynamiczone';
  const uid = attribute.family === 'component' ? attribute.component : value['__component'];
  const isKnown =
    typeof uid === 'string' &&
    Object.hasOwn(model.componentsByUid, uid) &&
    (attribute.family !== 'dynamiczone' || attribute.components.includes(uid));
  if (!isKnown) {
    choice.onGone([...path, String(uid)]);
    return [];
  }
  const content = chooseContent(model, componentOf(model, uid), value, choice, path);
  return [isZone ? { __component: uid, ...content } : content];
};

const SYSTEM_KEYS: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'locale',
  'createdAt',
  'updatedAt',
  'publishedAt',
  '__component',
]);

const isSystemKey = (schema: ContentSchema, name: string): boolean =>
  SYSTEM_KEYS.has(name) && !Object.hasOwn(schema.attributes, name);

/** Returns the selected content of a record or version, in the form of an input. */
export function chooseContent(
  model: ContentModel,
  schema: ContentSchema,
  record: VersionContent,
  choice: ContentChoice,
  path: readonly string[] = [],
): VersionContent {
  const content: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (isSystemKey(schema, name)) continue;
    const attribute = schema.attributes[name];
    // Paths are built only when needed, since most attributes are scalars that are kept.
    if (attribute === undefined || !isFileAttribute(attribute)) choice.onGone([...path, name]);
    else if (choice.keepsAttribute?.([...path, name], attribute) === false) continue;
    else if (attribute.family === 'scalar') content[name] = value;
    else if (attribute.family === 'relation' || attribute.family === 'media')
      content[name] = mapEach(value, (item) => linkOf(attribute, item, choice, [...path, name]));
    else
      content[name] = mapEach(value, (item) => componentsOf(model, attribute, item, choice, [...path, name]));
  }
  return content;
}

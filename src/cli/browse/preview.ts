import stringWidth from 'string-width';
import { isRecord } from '../../lib/records.js';
import { componentOf, typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, LinkAttribute } from '../../model/model.js';
import { cellText, titleAttribute } from '../content/print-value.js';
import { toOneLine, wrapText } from '../terminal/text-layout.js';
import { isSameRequest, mainWidth, neededPreview } from './state.js';
import type { BrowseState } from './state.js';

type Data = Readonly<Record<string, unknown>>;

/** The number of levels of nested components that are shown. */
const DEPTH = 5;
/** The maximum number of linked documents that the preview shows of a relation. */
const MOST_LINKS = 20;

/** A value of the preview: its line, and the lines and values below when it is unfolded. */
interface PreviewValue {
  /** Identifies the value within the document: `seo.image`. */
  readonly path: string;
  readonly label: string;
  readonly text: string;
  readonly children: readonly PreviewValue[];
  /** Text of several lines, or one that may be longer than a line. */
  readonly lines: readonly string[];
}

const isShown = ({ private: isPrivate, type }: Attribute): boolean => !isPrivate && type !== 'password';

const populateLink = (model: ContentModel, attribute: LinkAttribute): unknown => {
  if (attribute.target === null) return true;
  const title = titleAttribute(typeOf(model, attribute.target));
  const fields = { fields: [title ?? 'documentId'] };
  return attribute.many ? { ...fields, limit: MOST_LINKS + 1 } : fields;
};

/** Returns the `populate` for all values of the preview. Linked documents are read with their titles only. */
export function populatePreview(model: ContentModel, schema: ContentSchema, depth = DEPTH): Data {
  const componentPopulate = (uid: string): Data => ({
    populate: populatePreview(model, componentOf(model, uid), depth - 1),
  });
  const populateOf = (attribute: Attribute): unknown => {
    switch (attribute.family) {
      case 'scalar':
        return undefined;
      case 'component':
        return componentPopulate(attribute.component);
      case 'dynamiczone':
        return { on: Object.fromEntries(attribute.components.map((uid) => [uid, componentPopulate(uid)])) };
      default:
        return populateLink(model, attribute);
    }
  };
  return Object.fromEntries(
    Object.values(schema.attributes)
      .filter((attribute) => isShown(attribute) && (depth > 0 || attribute.family !== 'component'))
      .map((attribute) => [attribute.name, populateOf(attribute)])
      .filter(([, populate]) => populate !== undefined),
  ) as Data;
}

const lineBreaks = /\r\n|\r|\n/;

const printScalar = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : cellText(value);

const scalarValue = (path: string, label: string, value: unknown): PreviewValue => {
  const text = toOneLine(
    typeof value === 'object' && value !== null ? JSON.stringify(value) : printScalar(value),
  );
  const lines = printScalar(value)
    .split(lineBreaks)
    .map((line) => line.replaceAll(/\t/g, '  '));
  return { path, label, text, children: [], lines };
};

const nameRecord = (model: ContentModel, attribute: LinkAttribute, record: Data): string => {
  const uid = attribute.target ?? cellText(record['__type']);
  const type = Object.hasOwn(model.typesByUid, uid) ? typeOf(model, uid) : null;
  const title = type === null ? null : titleAttribute(type);
  return toOneLine(cellText(record[title ?? 'documentId'] ?? record['documentId']));
};

const recordsOf = (value: unknown): readonly Data[] => {
  if (Array.isArray(value)) return value.filter(isRecord);
  return isRecord(value) ? [value] : [];
};

const linkValue = (
  model: ContentModel,
  attribute: LinkAttribute,
  path: string,
  value: unknown,
): PreviewValue => {
  const records = recordsOf(value);
  const names = records.slice(0, MOST_LINKS).map((record) => nameRecord(model, attribute, record));
  const shown = records.length > MOST_LINKS ? [...names, '…'] : names;
  const lines = shown.length > 1 ? shown : [];
  return { path, label: attribute.name, text: shown.join(', '), children: [], lines };
};

const itemValue = (
  model: ContentModel,
  uid: string,
  item: Data,
  { path, label }: Pick<PreviewValue, 'path' | 'label'>,
): PreviewValue => {
  const children = Object.hasOwn(model.componentsByUid, uid)
    ? previewValues(model, componentOf(model, uid), item, `${path}.`)
    : [];
  const first = children.find(({ text }) => text !== '');
  const text = first === undefined ? uid : `${uid}: ${first.text}`;
  return { path, label, text, children, lines: [] };
};

const itemsValue = (
  model: ContentModel,
  attribute: Extract<Attribute, { readonly family: 'component' | 'dynamiczone' }>,
  path: string,
  value: unknown,
): PreviewValue => {
  const { name: label } = attribute;
  const uidOf = (item: Data): string =>
    attribute.family === 'component' ? attribute.component : cellText(item['__component']);
  if (!Array.isArray(value))
    return isRecord(value)
      ? itemValue(model, uidOf(value), value, { path, label })
      : { path, label, text: '', children: [], lines: [] };
  const items = recordsOf(value);
  const children = items.map((item, index) =>
    itemValue(model, uidOf(item), item, { path: `${path}.${index}`, label: `${index + 1}.` }),
  );
  const names = [...new Set(items.map(uidOf))].join(', ');
  return { path, label, text: items.length === 0 ? '' : `${items.length} of ${names}`, children, lines: [] };
};

/** Returns the preview values of a document or component, in the order of the schema. */
export function previewValues(
  model: ContentModel,
  schema: ContentSchema,
  record: Data,
  prefix = '',
): readonly PreviewValue[] {
  return Object.values(schema.attributes)
    .filter(isShown)
    .map((attribute) => {
      const [path, value] = [prefix + attribute.name, record[attribute.name]];
      switch (attribute.family) {
        case 'scalar':
          return scalarValue(path, attribute.name, value);
        case 'component':
        case 'dynamiczone':
          return itemsValue(model, attribute, path, value);
        default:
          return linkValue(model, attribute, path, value);
      }
    });
}

/** A line of the preview. */
export interface PreviewRow {
  readonly path: string;
  readonly depth: number;
  readonly label: string;
  readonly text: string;
  /** Null if there is nothing to unfold. */
  readonly isOpen: boolean | null;
}

const MAX_LABEL_WIDTH = 20;

/** The width of the column of names. */
export function labelWidth(rows: readonly PreviewRow[]): number {
  return Math.min(MAX_LABEL_WIDTH, Math.max(0, ...rows.map((row) => row.depth * 2 + stringWidth(row.label))));
}

const flattenValues = (
  value: PreviewValue,
  depth: number,
  options: { readonly width: number; readonly unfolded: ReadonlySet<string> },
): readonly PreviewRow[] => {
  const { path, label, text, children, lines } = value;
  const isLong = lines.length > 1 || stringWidth(text) > options.width;
  const isFoldable = children.length > 0 || isLong;
  const isOpen = options.unfolded.has(path);
  const row = { path, depth, label, text, isOpen: isFoldable ? isOpen : null };
  if (!isFoldable || !isOpen) return [row];
  const textRows = isLong
    ? lines
        .flatMap((line) => wrapText(toOneLine(line), options.width))
        .map((line) => ({ path, depth: depth + 1, label: '', text: line, isOpen: null }))
    : [];
  return [row, ...children.flatMap((child) => flattenValues(child, depth + 1, options)), ...textRows];
};

/** Returns the lines of the preview. Null if the document is not loaded yet, or none is selected. */
export function previewRows(state: BrowseState): readonly PreviewRow[] | null {
  const { preview, model, size, unfolded } = state;
  const wanted = neededPreview(state);
  if (preview === null || wanted === null || preview.document === null) return null;
  const { revision: _read, ...shown } = preview.request;
  const { revision: _wanted, ...selected } = wanted;
  if (!isSameRequest(shown, selected)) return null;
  const { document } = preview;
  const type = typeOf(model, preview.request.type);
  const system = ['documentId', 'updatedAt', 'publishedAt']
    .filter((name) => cellText(document[name]) !== '')
    .map((name) => ({
      path: `$${name}`,
      depth: 0,
      label: name,
      text: cellText(document[name]),
      isOpen: null,
    }));
  const width = mainWidth(size) - MAX_LABEL_WIDTH - 4;
  const values = previewValues(model, type, document);
  return [...values.flatMap((value) => flattenValues(value, 0, { width, unfolded })), ...system];
}

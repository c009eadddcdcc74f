import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import type { FormattingOptions, Node } from 'jsonc-parser';
import type { AttributeJson, NamedAttribute } from './attribute-shorthand.js';

/** A schema file as it is about to be written. */
export type SchemaJson = Readonly<Record<string, unknown>>;

/** The text of a new schema file: two spaces, one final newline. */
export function printSchema(schema: SchemaJson): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The indentation and line ends the file uses, so that an edit looks like the rest of it. */
const formatOf = (text: string): FormattingOptions => {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' };
};

const edit = (text: string, path: readonly string[], value: unknown): string =>
  applyEdits(text, modify(text, [...path], value, { formattingOptions: formatOf(text) }));

const attributesNode = (text: string): Node | undefined => {
  const tree = parseTree(text);
  return tree && findNodeAtLocation(tree, ['attributes']);
};

/** Appends a property behind the last one, on lines of its own, without touching how that one is laid out. */
const append = (text: string, last: Node, { name, json }: NamedAttribute): string => {
  const { insertSpaces, tabSize = 2, eol = '\n' } = formatOf(text);
  const unit = insertSpaces === true ? ' '.repeat(tabSize) : '\t';
  const line = text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset);
  const indent = line.trim() === '' ? line : unit.repeat(2);
  const value = JSON.stringify(json, null, unit).replaceAll('\n', `${eol}${indent}`);
  const end = last.offset + last.length;
  return `${text.slice(0, end)},${eol}${indent}${JSON.stringify(name)}: ${value}${text.slice(end)}`;
};

/** Adds the attribute at the end, or puts it in the place of the one of that name. All else in the file stays as it is. */
export function setAttribute(text: string, attribute: NamedAttribute): string {
  const last = attributesNode(text)?.children?.at(-1);
  const isNew = !Object.hasOwn(attributesOf(text), attribute.name);
  return isNew && last !== undefined ? append(text, last, attribute) : edit(text, ['attributes', attribute.name], attribute.json);
}

export function removeAttribute(text: string, name: string): string {
  return edit(text, ['attributes', name], undefined);
}

/** Sets one option of an attribute; undefined removes it. */
export function setAttributeOption(text: string, attribute: string, option: string, value: unknown): string {
  return edit(text, ['attributes', attribute, option], value);
}

/** Gives an attribute another name in its old place. */
export function renameAttribute(text: string, name: string, wanted: string): string {
  const tree = parseTree(text);
  const key = tree && findNodeAtLocation(tree, ['attributes', name])?.parent?.children?.[0];
  if (key === undefined) throw new TypeError(`The file has no attribute ${name}`);
  return text.slice(0, key.offset) + JSON.stringify(wanted) + text.slice(key.offset + key.length);
}

/** The attributes a schema file holds, by name; empty where the text is no schema. */
export function attributesOf(text: string): Readonly<Record<string, AttributeJson>> {
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'object' || schema === null || !('attributes' in schema)) return {};
  return schema.attributes as Readonly<Record<string, AttributeJson>>;
}

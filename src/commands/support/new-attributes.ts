import { fail } from '../../errors/catalogue.js';
import { parseAttributeShorthand } from '../../scaffold/attribute-shorthand.js';
import type { NamedAttribute } from '../../scaffold/attribute-shorthand.js';
import type { Holder, SchemaProject } from '../../scaffold/schema-project.js';
import { askAttributes } from './ask/ask-attributes.js';
import { createAsker } from './ask/asker.js';
import { siteOf } from './ask/attribute-site.js';
import type { Terminal } from './terminal.js';

export interface AttributeAsking {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
  readonly edits: SchemaProject;
  /** Shows something on the way. */
  readonly info: (text: string) => void;
}

/** An answered attribute, shown as the file will have it. */
export function describeAnswer({ name, json }: NamedAttribute): string {
  return `  ${name}: ${JSON.stringify(json)}`;
}

/** Attributes for a type or component that exists: named on the command line, or asked for one by one. @throws `cli/missing-value` */
export async function chooseAttributes({ terminal, canPrompt, edits, info }: AttributeAsking, holder: Holder, shorthands: readonly string[]): Promise<readonly NamedAttribute[]> {
  if (shorthands.length > 0) return shorthands.map(parseAttributeShorthand);
  if (!canPrompt) throw fail('cli/missing-value', { label: '<attribute>' });
  const isType = 'kind' in holder;
  const site = siteOf(edits, {
    uid: holder.uid,
    name: isType ? holder.singularName : holder.name,
    kind: isType ? 'type' : 'component',
    localized: isType && holder.localized,
    attributes: holder.attributes,
  });
  const attributes = await askAttributes(createAsker(terminal), site, (attribute) => info(describeAnswer(attribute)));
  if (attributes.length === 0) throw fail('cli/declined');
  return attributes;
}

/** Attributes of a component that is about to be made. None is fine: they can be added later. */
export async function chooseComponentAttributes({ terminal, canPrompt, edits, info }: AttributeAsking, { uid, name }: { readonly uid: string; readonly name: string }, shorthands: readonly string[] | undefined): Promise<readonly NamedAttribute[]> {
  if (shorthands !== undefined || !canPrompt) return (shorthands ?? []).map(parseAttributeShorthand);
  const site = siteOf(edits, { uid, name, kind: 'component', localized: false, attributes: [] });
  return askAttributes(createAsker(terminal), site, (attribute) => info(describeAnswer(attribute)));
}

import { isAttributeName, reservedFor } from '../../../content-types/attribute-names.js';
import { ATTRIBUTE_TYPES } from '../../../scaffold/attribute-options.js';
import { orderAttribute } from '../../../scaffold/attribute-shorthand.js';
import type { NamedAttribute } from '../../../scaffold/attribute-shorthand.js';
import { askOptions } from './ask-options.js';
import { askRelation } from './ask-relation.js';
import { askComponent, askDynamicZone, askEnumeration, askMedia, askUid } from './ask-structure.js';
import { askOptionalText } from './asker.js';
import type { Asker } from './asker.js';
import type { AttributeSite, Options } from './attribute-draft.js';

const TYPE_HINTS: Readonly<Record<string, string>> = {
  string: 'One line of text.',
  text: 'Several lines of plain text.',
  richtext: 'Markdown.',
  blocks: 'Rich text as a list of blocks.',
  uid: 'Unique id for addresses, such as a slug.',
  enumeration: 'One of some fixed values.',
  biginteger: 'Whole numbers beyond 2^53.',
  relation: 'Links to documents of another type.',
  media: 'Uploaded files.',
  component: 'A group of attributes used in several places.',
  dynamiczone: 'A list of different components.',
};

const OWN_QUESTIONS: Readonly<Record<string, (asker: Asker, site: AttributeSite) => Promise<Options>>> = {
  relation: askRelation,
  media: askMedia,
  component: askComponent,
  dynamiczone: askDynamicZone,
  enumeration: askEnumeration,
  uid: askUid,
};

const needsComponents = (type: string): boolean => type === 'component' || type === 'dynamiczone';

const checkName = (site: AttributeSite) => (name: string): true | string => {
  if (!isAttributeName(name)) return 'Letters, digits and _ only, a letter first.';
  const reserved = reservedFor(name);
  if (reserved === 'always' || (reserved === 'in-types' && site.kind === 'type')) return `${name} is kept for the system.`;
  return site.taken.every((attribute) => attribute.name !== name) || `${site.holderName} has ${name} already.`;
};

const askType = (asker: Asker, site: AttributeSite): Promise<string> => {
  const offered = ATTRIBUTE_TYPES.filter((type) => (site.components.length > 0 || !needsComponents(type)) && (site.kind === 'type' || type !== 'dynamiczone'));
  const choices = offered.map((type) => ({ value: type, name: type, description: TYPE_HINTS[type] ?? '' }));
  // Typing jumps to a type by its first letters.
  return asker((prompts, screen) => prompts.select({ message: 'Type', choices, pageSize: 12, loop: false }, screen));
};

/** One attribute, or null where the name is left empty. */
export async function askAttribute(asker: Asker, site: AttributeSite): Promise<NamedAttribute | null> {
  const name = await askOptionalText(asker, site.taken.length === 0 ? 'First attribute (Enter: none)' : 'Next attribute (Enter: done)', checkName(site));
  if (name === undefined) return null;
  const type = await askType(asker, site);
  const own = await (OWN_QUESTIONS[type]?.(asker, site) ?? Promise.resolve({}));
  const options = await askOptions(asker, type, own, site);
  return { name, json: orderAttribute({ type, ...own, ...options }) };
}

/** Attributes one by one, until a name is left empty. `show` tells what was understood. */
export async function askAttributes(asker: Asker, site: AttributeSite, show: (attribute: NamedAttribute) => void): Promise<readonly NamedAttribute[]> {
  const answered: NamedAttribute[] = [];
  for (;;) {
    const attribute = await askAttribute(asker, { ...site, taken: [...site.taken, ...answered] });
    if (attribute === null) return answered;
    answered.push(attribute);
    show(attribute);
  }
}

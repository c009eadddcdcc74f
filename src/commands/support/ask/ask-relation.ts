import { camelCase } from '../../../lib/casing.js';
import { isAttributeName } from '../../../content-types/attribute-names.js';
import { pluralOf } from '../../../scaffold/type-names.js';
import type { RELATION_KINDS } from '../../../scaffold/attribute-options.js';
import { askOptionalText } from './asker.js';
import type { Asker } from './asker.js';
import type { AttributeSite, Options } from './attribute-draft.js';

type Kind = (typeof RELATION_KINDS)[number];

const MANY_ON_OTHER_SIDE: ReadonlySet<Kind> = new Set(['manyToOne', 'manyToMany']);
const POLYMORPHIC: ReadonlySet<Kind> = new Set(['morphToOne', 'morphToMany']);

const askKind = (asker: Asker, site: AttributeSite): Promise<Kind> => {
  const holder = site.holderName;
  const linkedFrom: readonly { readonly value: Kind; readonly name: string }[] = site.morphs.length === 0 ? [] : [
    { value: 'morphOne', name: `${holder} shows one that links to it by a relation of any type` },
    { value: 'morphMany', name: `${holder} shows all that link to it by a relation of any type` },
  ];
  const choices: readonly { readonly value: Kind; readonly name: string }[] = site.kind === 'component'
    ? [{ value: 'oneToOne', name: `${holder} has one` }, { value: 'oneToMany', name: `${holder} has many` }]
    : [
      { value: 'manyToOne', name: `many ${holder} belong to one` },
      { value: 'oneToMany', name: `${holder} has many, each belongs to one ${holder}` },
      { value: 'manyToMany', name: `${holder} has many, each belongs to many ${holder}` },
      { value: 'oneToOne', name: `${holder} has one, which has one ${holder}` },
      { value: 'morphToOne', name: `${holder} has one of any type` },
      { value: 'morphToMany', name: `${holder} has many of any type` },
      ...linkedFrom,
    ];
  return asker((prompts, screen) => prompts.select({ message: 'Kind of relation', choices: choices.map((choice) => ({ ...choice, short: choice.value, description: choice.value })), pageSize: 10 }, screen));
};

const askOtherSide = async (asker: Asker, kind: Kind, site: AttributeSite, target: string): Promise<string | undefined> => {
  const suggestion = camelCase(MANY_ON_OTHER_SIDE.has(kind) ? pluralOf(site.holderName) : site.holderName);
  const wanted = await asker((prompts, screen) => prompts.confirm({ message: `Shall ${target} show its side too?`, default: true }, screen));
  if (!wanted) return undefined;
  const name = await asker((prompts, screen) =>
    prompts.input({ message: `Its name in ${target}`, default: suggestion, validate: (text) => isAttributeName(text) || 'Letters, digits and _ only, a letter first.' }, screen));
  return name;
};

const askMorph = (asker: Asker, site: AttributeSite): Promise<Options> => {
  const choices = site.morphs.map(({ uid, attribute }) => ({ value: { target: uid, morphBy: attribute }, name: `${uid} ${attribute}` }));
  return asker((prompts, screen) => prompts.select({ message: 'Linked from', choices, pageSize: 12 }, screen));
};

/** The kind of a relation, its target, and the name of its other side. */
export async function askRelation(asker: Asker, site: AttributeSite): Promise<Options> {
  const kind = await askKind(asker, site);
  if (POLYMORPHIC.has(kind)) return { relation: kind };
  if (kind === 'morphOne' || kind === 'morphMany') return { relation: kind, ...(await askMorph(asker, site)) };
  const choices = site.types.map(({ uid, displayName }) => ({ value: uid, name: displayName, description: uid }));
  const target = await asker((prompts, screen) => prompts.select({ message: 'Of which type', choices, pageSize: 12 }, screen));
  const name = site.types.find(({ uid }) => uid === target)?.singularName ?? target;
  const other = site.kind === 'component' ? undefined : await askOtherSide(asker, kind, site, name);
  if (other === undefined) return { relation: kind, target };
  return { relation: kind, target, [kind === 'oneToMany' ? 'mappedBy' : 'inversedBy']: other };
}

const WHOLE = (text: string): true | string => /^\d+$/.test(text) || 'A whole number, please.';

/** Fewest and most items of a list; neither has to be set. */
export async function askCounts(asker: Asker): Promise<Options> {
  const min = await askOptionalText(asker, 'Fewest items (Enter: none)', WHOLE);
  const max = await askOptionalText(asker, 'Most items (Enter: any)', WHOLE);
  return { ...(min === undefined ? {} : { min: Number(min) }), ...(max === undefined ? {} : { max: Number(max) }) };
}

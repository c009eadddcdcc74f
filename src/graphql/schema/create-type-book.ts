import { GraphQLEnumType, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLUnionType } from 'graphql';
import { isRecord } from '../../lib/is-record.js';
import type { AttributeHolder, ContentModel, DynamicZoneAttribute, ScalarAttribute, Uid } from '../../model/model.js';
import { zoneInputScalar } from '../scalars/zone-input.js';
import { enumNameOf, enumValuesByName, zoneNameOf } from '../names.js';
import { ERROR, PAGINATION, PAGINATION_ARG, PUBLICATION_FILTER, PUBLICATION_STATUS, SCALARS } from './fixed-types.js';
import { buildHolderFilters } from './holder-filters.js';
import { buildHolderInput } from './holder-input.js';
import { buildHolderObject } from './holder-object.js';
import { LOCALE_TYPE } from './locale-type.js';
import { buildScalarFilter } from './scalar-filters.js';
import { refusedKeyOf } from './refused-key.js';
import type { SchemaSwitches } from './switches.js';
import type { TypeBook } from './type-book.js';
import { USERS_TYPES } from './users-types.js';

/** Makes each value once, when it is first asked for under its key. */
const once = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
};

const enumValues = (values: readonly string[]): Readonly<Record<string, { readonly value: string }>> =>
  Object.fromEntries([...enumValuesByName(values)].map(([name, value]) => [name, { value }]));

/** What of a polymorphic value says what it is. */
const kindOf = (value: unknown, key: string): Uid | undefined => {
  const kind = isRecord(value) ? value[key] : undefined;
  return typeof kind === 'string' ? kind : undefined;
};

type Attributed<A> = { readonly holder: AttributeHolder; readonly attribute: A };

/** By attribute, whose objects are unique in the model. */
const onceByAttribute = <A extends object, Value>(make: (at: Attributed<A>) => Value): ((holder: AttributeHolder, attribute: A) => Value) => {
  const made = new Map<A, Value>();
  return (holder, attribute) => {
    const value = made.get(attribute) ?? make({ holder, attribute });
    made.set(attribute, value);
    return value;
  };
};

const scalarNamed = (name: string): (typeof SCALARS)[number] => {
  const scalar = SCALARS.find((candidate) => candidate.name === name);
  if (scalar === undefined) throw new TypeError(`There is no scalar ${name}.`);
  return scalar;
};

const enumerationOf = ({ holder, attribute }: Attributed<ScalarAttribute>): GraphQLEnumType =>
  new GraphQLEnumType({ name: enumNameOf(holder, attribute.name), values: enumValues(attribute.constraints.enum ?? []) });

/** The types of a model's schema, none of them made yet. Types whose names are taken get an underscore more. */
export function createTypeBook(model: ContentModel, switches: SchemaSwitches): TypeBook {
  const taken = new Set<string>();
  const claim = (wanted: string): string => {
    const name = taken.has(wanted) ? claim(`${wanted}_`) : wanted;
    taken.add(name);
    return name;
  };
  for (const { name } of [...SCALARS, ...USERS_TYPES, ERROR, PAGINATION, PAGINATION_ARG, PUBLICATION_FILTER, PUBLICATION_STATUS]) claim(name);
  for (const { name } of SCALARS) claim(`${name}FilterInput`);
  const nodes = (holder: AttributeHolder) => ({ type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(book.object(holder)))) });
  const componentsOf = ({ components }: DynamicZoneAttribute): readonly AttributeHolder[] => components.flatMap((uid) => model.componentsByUid[uid] ?? []).filter(switches.hasHolder);
  const holders = (): readonly AttributeHolder[] => [...model.components, LOCALE_TYPE, ...model.types].filter(switches.hasHolder);
  const nameOfKind = (value: unknown, key: string): string | undefined => {
    const uid = kindOf(value, key);
    const holder = uid === undefined ? undefined : model.componentsByUid[uid] ?? model.typesByUid[uid];
    return holder === undefined ? undefined : book.object(holder).name;
  };
  const morph = once((name: string) => new GraphQLUnionType({ name, types: () => holders().map((holder) => book.object(holder)), resolveType: (value) => nameOfKind(value, '__type') }));

  const book: TypeBook = {
    model,
    switches,
    scalar: scalarNamed,
    publicationStatus: PUBLICATION_STATUS,
    publicationFilter: PUBLICATION_FILTER,
    paginationArg: PAGINATION_ARG,
    object: once((holder) => buildHolderObject(book, holder, claim(holder.typeName))),
    filters: once((holder) => buildHolderFilters(book, holder, claim(`${holder.typeName}FiltersInput`))),
    input: once((holder) => buildHolderInput(book, holder, claim(`${holder.typeName}Input`))),
    scalarFilter: once((name) => buildScalarFilter(name, scalarNamed(name.replace(/FilterInput$/, '')))),
    enumeration: onceByAttribute(enumerationOf),
    zone: onceByAttribute(({ holder, attribute }) => new GraphQLUnionType({
      name: claim(zoneNameOf(holder, attribute.name)),
      types: () => [...componentsOf(attribute).map((component) => book.object(component)), ERROR],
      resolveType: (value) => nameOfKind(value, '__component'),
    })),
    zoneInput: onceByAttribute(({ holder, attribute }) => zoneInputScalar(
      claim(`${zoneNameOf(holder, attribute.name)}Input`),
      {
        uids: () => new Map(componentsOf(attribute).map((component) => [book.object(component).name, component.uid])),
        refusedKey: (uid, entry) => {
          const component = model.componentsByUid[uid];
          return component === undefined ? null : refusedKeyOf(model, switches, component, entry);
        },
      },
    )),
    connection: once((type) => new GraphQLObjectType({ name: claim(`${type.typeName}EntityResponseCollection`), fields: () => ({ nodes: nodes(type), pageInfo: { type: new GraphQLNonNull(PAGINATION) } }) })),
    relationConnection: once((type) => new GraphQLObjectType({ name: claim(`${type.typeName}RelationResponseCollection`), fields: () => ({ nodes: nodes(type) }) })),
    genericMorph: () => morph('GenericMorph'),
    localeType: LOCALE_TYPE,
  };
  return book;
}

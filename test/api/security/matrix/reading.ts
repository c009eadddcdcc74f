import { isRecord } from '../../../../src/lib/records.js';
import {
  isInScope,
  accessOutcome,
  includesAttribute,
  grantedRule,
  listRule,
  SCHEMAS,
  visibleRecord,
  textOf,
} from './oracle.js';
import type { SeedDocument } from './oracle.js';
import type { Rule } from './configuration.js';
import type { Scenario } from './comparison.js';
import type { Result } from './caller-client.js';

const SYSTEM_FIELDS = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  'cover',
  'parts',
  '__component',
]);

/** Removes what every record has, and what other checks compare. */
export const withoutSystemFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSystemFields);
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !SYSTEM_FIELDS.has(key))
          .map(([key, item]) => [key, withoutSystemFields(item)]),
      )
    : value;
};

const dataOf = ({ body }: Result): unknown => (isRecord(body) ? body['data'] : undefined);
const doneOf = (result: Result): unknown => {
  const data = dataOf(result);
  return isRecord(data) ? data['done'] : undefined;
};
const totalOf = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

export const storiesOf = ({
  fixture,
}: Scenario): readonly (SeedDocument & { readonly documentId: string })[] => [
  fixture.stories.ann,
  fixture.stories.bob,
];

export const visibleTo = (scenario: Scenario, ...actions: readonly string[]): readonly SeedDocument[] =>
  storiesOf(scenario).filter((doc) =>
    actions.every((action) => isInScope(scenario.caller, grantedRule(scenario.caller, 'story', action), doc)),
  );

/** The selection of a GraphQL request: the scalars, and one level of links, that the caller may see. */
const selectionOf = ({ caller }: Scenario, action: string, kind = 'story', depth = 1): string =>
  selectionUnder(caller, action === 'component' ? {} : grantedRule(caller, kind, action), kind, depth);

const selectionUnder = (caller: Scenario['caller'], rule: Rule | null, kind = 'story', depth = 1): string => {
  const schema = SCHEMAS[kind];
  const scalars = schema?.scalars.filter((name) => includesAttribute(rule, name)) ?? [];
  const links =
    depth === 0
      ? []
      : Object.entries(schema?.relations ?? {}).filter(
          ([name, link]) =>
            includesAttribute(rule, name) &&
            (link.kind === 'card' || grantedRule(caller, link.kind, 'find') !== null),
        );
  const nested = links.map(([name, link]) => {
    const linkAction = link.kind === 'card' ? 'component' : 'find';
    return `${name} { ${selectionOf({ caller } as Scenario, linkAction, link.kind, depth - 1)} }`;
  });
  const all = [...scalars, ...nested].join(' ');
  return all === '' ? '__typename' : all;
};

const checkLists = async (scenario: Scenario): Promise<void> => {
  const { caller, client, compare } = scenario;
  const isFindable = accessOutcome(caller, 'story', 'find');
  for (const status of ['published', 'draft']) {
    const rule = listRule(caller, status);
    const access = isFindable === 'ok' && rule === null ? 'forbidden' : isFindable;
    const visible = visibleTo(scenario, 'find', ...(status === 'draft' ? ['findDrafts'] : []));
    const records = visible.map((doc) => visibleRecord(caller, 'story', doc, { rule, depth: 1 }));
    const selection = selectionUnder(caller, rule);
    const rest = await client.rest('GET', `/api/stories?populate=*&sort=title&status=${status}`);
    compare(`list ${status}`, rest.outcome, access);
    if (access === 'ok') {
      compare(`listed ${status}`, withoutSystemFields(dataOf(rest)), records);
      compare(`total ${status}`, totalOf(rest.body, ['meta', 'pagination', 'total']), visible.length);
    }
    const flat = await client.graphql(
      `{
        done: stories(sort: "title", status: ${status.toUpperCase()}) { ${selection} }
      }`,
    );
    compare(`graphql list ${status}`, flat.outcome, access);
    const paged = await client.graphql(
      `{
        done: stories_connection(
            sort: "title", status: ${status.toUpperCase()}, pagination: { pageSize: 1 }
          ) {
          pageInfo { total pageCount }
          nodes { ${selection} }
        }
      }`,
    );
    compare(`graphql connection ${status}`, paged.outcome, access);
    if (access !== 'ok') continue;
    compare(`graphql listed ${status}`, withoutTypename(doneOf(flat)), records);
    compare(`graphql page ${status}`, totalOf(doneOf(paged), ['pageInfo']), {
      total: visible.length,
      pageCount: visible.length,
    });
    compare(
      `graphql nodes ${status}`,
      withoutTypename(totalOf(doneOf(paged), ['nodes'])),
      records.slice(0, 1),
    );
  }
};

const withoutTypename = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTypename);
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => key !== '__typename')
          .map(([key, item]) => [key, withoutTypename(item)]),
      )
    : value;
};

const checkSingle = async (scenario: Scenario): Promise<void> => {
  const { caller, client, compare } = scenario;
  const access = accessOutcome(caller, 'story', 'findOne');
  const rule = grantedRule(caller, 'story', 'findOne');
  for (const doc of storiesOf(scenario)) {
    const expected = access === 'ok' && !isInScope(caller, rule, doc) ? 'missing' : access;
    const rest = await client.rest('GET', `/api/stories/${doc.documentId}?populate=*`);
    compare(`one ${textOf(doc['title'])}`, rest.outcome, expected);
    const graphql = await client.graphql(
      `query($id: ID!) { done: story(documentId: $id) { ${selectionOf(scenario, 'findOne')} } }`,
      { id: doc.documentId },
    );
    compare(`graphql one ${textOf(doc['title'])}`, graphql.outcome, expected);
    if (expected !== 'ok') continue;
    const record = visibleRecord(caller, 'story', doc, { rule, depth: 1 });
    compare(`the one ${textOf(doc['title'])}`, withoutSystemFields(dataOf(rest)), record);
    compare(`graphql the one ${textOf(doc['title'])}`, withoutTypename(doneOf(graphql)), record);
  }
  const none = await client.rest('GET', '/api/stories/nosuchstory');
  compare('one that is not there', none.outcome, access === 'ok' ? 'missing' : access);
};

/** Lists with one attribute are rejected if it may not be named; targets that may not be found are null. */
const checkAttributes = async (scenario: Scenario): Promise<void> => {
  const { caller, client, compare } = scenario;
  const access = accessOutcome(caller, 'story', 'find');
  const rule = grantedRule(caller, 'story', 'find');
  const visible = visibleTo(scenario, 'find').length;
  for (const name of [
    'title',
    'body',
    'rating',
    'secret',
    'password',
    'ownerDocumentId',
    'owner_document_id',
  ]) {
    const isThere = ['title', 'body', 'rating'].includes(name);
    const graphql = await client.graphql(`{ done: stories { ${name} } }`);
    compare(
      `graphql ${name}`,
      graphql.outcome,
      caller.grants === 'refused'
        ? access
        : !isThere
          ? 'invalid'
          : access !== 'ok'
            ? access
            : includesAttribute(rule, name)
              ? 'ok'
              : 'invalid',
    );
    const rest = await client.rest('GET', `/api/stories?fields=${name}`);
    compare(
      `fields ${name}`,
      rest.outcome,
      access !== 'ok' ? access : isThere && includesAttribute(rule, name) ? 'ok' : 'invalid',
    );
  }
  for (const [link, field] of [
    ['owner', 'username'],
    ['owner', 'email'],
    ['shelf', 'name'],
    ['vault', 'code'],
    ['card', 'label'],
    ['cover', 'name'],
  ] as const) {
    const target = SCHEMAS['story']?.relations[link]?.kind ?? 'free';
    const isFree = target === 'card' || target === 'free';
    const found = isFree ? {} : grantedRule(caller, target, 'find');
    const expected =
      access !== 'ok'
        ? access
        : !includesAttribute(rule, link)
          ? 'invalid'
          : found === null
            ? 'absent'
            : includesAttribute(found, field)
              ? 'ok'
              : 'invalid';
    const rest = await client.rest('GET', `/api/stories?populate[${link}][fields]=${field}`);
    compare(`populate ${link}.${field}`, rest.outcome, expected === 'absent' ? 'ok' : expected);
    const rows = dataOf(rest);
    if (Array.isArray(rows))
      compare(
        `populated ${link}`,
        rows.every((row) => isRecord(row) && link in row === (expected === 'ok')),
        true,
      );
    const graphql = await client.graphql(`{ done: stories { ${link} { ${field} } } }`);
    const isDenied = expected === 'absent' && visible > 0;
    compare(
      `graphql ${link}.${field}`,
      graphql.outcome,
      expected === 'absent' ? (isDenied ? 'forbidden' : 'ok') : expected,
    );
  }
  for (const field of ['secret', 'password', 'hush', 'note']) {
    for (const link of ['owner', 'card']) {
      compare(
        `populate ${link}.${field}`,
        (await client.rest('GET', `/api/stories?populate[${link}][fields]=${field}`)).outcome !== 'ok' ||
          grantedRule(caller, 'user', 'find') === null,
        true,
      );
      compare(
        `graphql ${link}.${field}`,
        (await client.graphql(`{ done: stories { ${link} { ${field} } } }`)).outcome,
        caller.grants === 'refused' ? access : 'invalid',
      );
    }
  }
};

/** Relations below components, zones and other relations are treated like those at the top. */
const checkNested = async (scenario: Scenario): Promise<void> => {
  const { caller, client, compare } = scenario;
  const rule = grantedRule(caller, 'story', 'find');
  if (rule === null || visibleTo(scenario, 'find').length === 0) return;
  const canFindVault = grantedRule(caller, 'vault', 'find') !== null;
  for (const [attribute, populate] of [
    ['card', 'populate[card][populate][vault]=true'],
    ['parts', 'populate[parts][on][matrix.card][populate][vault]=true'],
  ] as const) {
    const rest = await client.rest('GET', `/api/stories?${populate}`);
    compare(`${attribute} with vault`, rest.outcome, includesAttribute(rule, attribute) ? 'ok' : 'invalid');
    if (rest.outcome === 'ok')
      compare(`vault in ${attribute}`, JSON.stringify(rest.body).includes('code-v'), canFindVault);
  }
  const graphql = await client.graphql('{ done: stories { card { label vault { code } } } }');
  compare(
    'graphql card with vault',
    graphql.outcome,
    !includesAttribute(rule, 'card') ? 'invalid' : canFindVault ? 'ok' : 'forbidden',
  );
  const zone = await client.graphql(
    '{ done: stories { parts { ... on ComponentMatrixCard { label vault { code } } } } }',
  );
  compare(
    'graphql zone with vault',
    zone.outcome,
    !includesAttribute(rule, 'parts') ? 'invalid' : canFindVault ? 'ok' : 'forbidden',
  );
};

export async function checkReading(scenario: Scenario): Promise<void> {
  await checkLists(scenario);
  await checkSingle(scenario);
  await checkAttributes(scenario);
  await checkNested(scenario);
}

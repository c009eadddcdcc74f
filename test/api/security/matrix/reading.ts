import { isRecord } from '../../../../src/lib/is-record.js';
import { covers, entrance, has, ruleOf, SHAPES, shown, textOf } from './oracle.js';
import type { Doc } from './oracle.js';
import type { Visit } from './finding.js';
import type { Result } from './transports.js';

const GENERIC = new Set(['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations', 'cover', 'parts', '__component']);

/** A record without what every record has, and without what is compared elsewhere. */
const stripped = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(stripped);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !GENERIC.has(key)).map(([key, item]) => [key, stripped(item)])) : value;
};

const dataOf = ({ body }: Result): unknown => (isRecord(body) ? body['data'] : undefined);
const doneOf = (result: Result): unknown => {
  const data = dataOf(result);
  return isRecord(data) ? data['done'] : undefined;
};
const totalOf = (value: unknown, path: readonly string[]): unknown => path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

const storiesOf = ({ library }: Visit): readonly (Doc & { readonly documentId: string })[] => [library.stories.ann, library.stories.bob];

const visibleTo = (visit: Visit, action: string): readonly Doc[] => storiesOf(visit).filter((doc) => covers(visit.caller, ruleOf(visit.caller, 'story', action), doc));

/** What GraphQL asks for, and is answered: the scalars and the links of one level that are the caller's to see. */
const selectionOf = ({ caller }: Visit, action: string, kind = 'story', depth = 1): string => {
  const rule = action === 'component' ? {} : ruleOf(caller, kind, action);
  const shape = SHAPES[kind];
  const scalars = shape?.scalars.filter((name) => has(rule, name)) ?? [];
  const links = depth === 0 ? [] : Object.entries(shape?.to ?? {}).filter(([name, link]) => has(rule, name) && (link.kind === 'card' || ruleOf(caller, link.kind, 'find') !== null));
  const nested = links.map(([name, link]) => `${name} { ${selectionOf({ caller } as Visit, link.kind === 'card' ? 'component' : 'find', link.kind, depth - 1)} }`);
  const all = [...scalars, ...nested].join(' ');
  return all === '' ? '__typename' : all;
};

const lists = async (visit: Visit): Promise<void> => {
  const { caller, voice, compare } = visit;
  const door = entrance(caller, 'story', 'find');
  const rule = ruleOf(caller, 'story', 'find');
  const visible = visibleTo(visit, 'find');
  const records = visible.map((doc) => shown(caller, 'story', doc, { rule, depth: 1 }));
  for (const status of ['published', 'draft']) {
    const rest = await voice.rest('GET', `/api/stories?populate=*&sort=title&status=${status}`);
    compare(`list ${status}`, rest.outcome, door);
    if (door === 'ok') {
      compare(`listed ${status}`, stripped(dataOf(rest)), records);
      compare(`total ${status}`, totalOf(rest.body, ['meta', 'pagination', 'total']), visible.length);
    }
    const flat = await voice.graphql(`{ done: stories(sort: "title", status: ${status.toUpperCase()}) { ${selectionOf(visit, 'find')} } }`);
    compare(`graphql list ${status}`, flat.outcome, door);
    const paged = await voice.graphql(`{ done: stories_connection(sort: "title", status: ${status.toUpperCase()}, pagination: { pageSize: 1 }) { pageInfo { total pageCount } nodes { ${selectionOf(visit, 'find')} } } }`);
    compare(`graphql connection ${status}`, paged.outcome, door);
    if (door !== 'ok') continue;
    compare(`graphql listed ${status}`, withoutTypename(doneOf(flat)), records);
    compare(`graphql page ${status}`, totalOf(doneOf(paged), ['pageInfo']), { total: visible.length, pageCount: visible.length });
    compare(`graphql nodes ${status}`, withoutTypename(totalOf(doneOf(paged), ['nodes'])), records.slice(0, 1));
  }
};

const withoutTypename = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTypename);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__typename').map(([key, item]) => [key, withoutTypename(item)])) : value;
};

const single = async (visit: Visit): Promise<void> => {
  const { caller, voice, compare } = visit;
  const door = entrance(caller, 'story', 'findOne');
  const rule = ruleOf(caller, 'story', 'findOne');
  for (const doc of storiesOf(visit)) {
    const expected = door === 'ok' && !covers(caller, rule, doc) ? 'missing' : door;
    const rest = await voice.rest('GET', `/api/stories/${doc.documentId}?populate=*`);
    compare(`one ${textOf(doc['title'])}`, rest.outcome, expected);
    const graphql = await voice.graphql(`query($id: ID!) { done: story(documentId: $id) { ${selectionOf(visit, 'findOne')} } }`, { id: doc.documentId });
    compare(`graphql one ${textOf(doc['title'])}`, graphql.outcome, expected);
    if (expected !== 'ok') continue;
    const record = shown(caller, 'story', doc, { rule, depth: 1 });
    compare(`the one ${textOf(doc['title'])}`, stripped(dataOf(rest)), record);
    compare(`graphql the one ${textOf(doc['title'])}`, withoutTypename(doneOf(graphql)), record);
  }
  const none = await voice.rest('GET', '/api/stories/nosuchstory');
  compare('one that is not there', none.outcome, door === 'ok' ? 'missing' : door);
};

/** What a list says where one attribute of it is asked for: refused whole where it may not be named, row by row where its target may not be found. */
const attributes = async (visit: Visit): Promise<void> => {
  const { caller, voice, compare } = visit;
  const door = entrance(caller, 'story', 'find');
  const rule = ruleOf(caller, 'story', 'find');
  const visible = visibleTo(visit, 'find').length;
  for (const name of ['title', 'body', 'rating', 'secret', 'password', 'ownerDocumentId', 'owner_document_id']) {
    const isThere = ['title', 'body', 'rating'].includes(name);
    const graphql = await voice.graphql(`{ done: stories { ${name} } }`);
    compare(`graphql ${name}`, graphql.outcome, caller.grants === 'refused' ? door : !isThere ? 'invalid' : door !== 'ok' ? door : has(rule, name) ? 'ok' : 'invalid');
    const rest = await voice.rest('GET', `/api/stories?fields=${name}`);
    compare(`fields ${name}`, rest.outcome, door !== 'ok' ? door : isThere && has(rule, name) ? 'ok' : 'invalid');
  }
  for (const [link, field] of [['owner', 'username'], ['owner', 'email'], ['shelf', 'name'], ['vault', 'code'], ['card', 'label'], ['cover', 'name']] as const) {
    const target = SHAPES['story']?.to[link]?.kind ?? 'free';
    const isFree = target === 'card' || target === 'free';
    const found = isFree ? {} : ruleOf(caller, target, 'find');
    const expected = door !== 'ok' ? door : !has(rule, link) ? 'invalid' : found === null ? 'absent' : has(found, field) ? 'ok' : 'invalid';
    const rest = await voice.rest('GET', `/api/stories?populate[${link}][fields]=${field}`);
    compare(`populate ${link}.${field}`, rest.outcome, expected === 'absent' ? 'ok' : expected);
    const rows = dataOf(rest);
    if (Array.isArray(rows)) compare(`populated ${link}`, rows.every((row) => isRecord(row) && (link in row) === (expected === 'ok')), true);
    const graphql = await voice.graphql(`{ done: stories { ${link} { ${field} } } }`);
    const isDenied = expected === 'absent' && visible > 0;
    compare(`graphql ${link}.${field}`, graphql.outcome, expected === 'absent' ? (isDenied ? 'forbidden' : 'ok') : expected);
  }
  for (const field of ['secret', 'password', 'hush', 'note']) {
    for (const link of ['owner', 'card']) {
      compare(`populate ${link}.${field}`, (await voice.rest('GET', `/api/stories?populate[${link}][fields]=${field}`)).outcome !== 'ok' || ruleOf(caller, 'user', 'find') === null, true);
      compare(`graphql ${link}.${field}`, (await voice.graphql(`{ done: stories { ${link} { ${field} } } }`)).outcome, caller.grants === 'refused' ? door : 'invalid');
    }
  }
};

/** Relations below components, zones and other relations are left out or refused like those at the top. */
const nested = async (visit: Visit): Promise<void> => {
  const { caller, voice, compare } = visit;
  const rule = ruleOf(caller, 'story', 'find');
  if (rule === null || visibleTo(visit, 'find').length === 0) return;
  const mayVault = ruleOf(caller, 'vault', 'find') !== null;
  for (const [attribute, populate] of [['card', 'populate[card][populate][vault]=true'], ['parts', 'populate[parts][on][matrix.card][populate][vault]=true']] as const) {
    const rest = await voice.rest('GET', `/api/stories?${populate}`);
    compare(`${attribute} with vault`, rest.outcome, has(rule, attribute) ? 'ok' : 'invalid');
    if (rest.outcome === 'ok') compare(`vault in ${attribute}`, JSON.stringify(rest.body).includes('code-v'), mayVault);
  }
  const graphql = await voice.graphql('{ done: stories { card { label vault { code } } } }');
  compare('graphql card with vault', graphql.outcome, !has(rule, 'card') ? 'invalid' : mayVault ? 'ok' : 'forbidden');
  const zone = await voice.graphql('{ done: stories { parts { ... on ComponentMatrixCard { label vault { code } } } } }');
  compare('graphql zone with vault', zone.outcome, !has(rule, 'parts') ? 'invalid' : mayVault ? 'ok' : 'forbidden');
};

export async function checkReading(visit: Visit): Promise<void> {
  await lists(visit);
  await single(visit);
  await attributes(visit);
  await nested(visit);
}

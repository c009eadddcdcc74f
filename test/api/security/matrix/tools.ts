import { isRecord } from '../../../../src/lib/records.js';
import type { Result } from './caller-client.js';
import type { Scenario } from './comparison.js';
import {
  accessOutcome,
  grantedRule,
  isInScope,
  listRule,
  textOf,
  visibleRecord,
  writeOutcome,
} from './oracle.js';
import { storiesOf, visibleTo, withoutSystemFields } from './reading.js';
import { attemptsOn, createStory, deleteStory, expectedOutcome, readState, storyOwnedBy } from './writing.js';
import type { Attempt } from './writing.js';

const dataOf = ({ body }: Result): unknown => (isRecord(body) ? body['data'] : undefined);

/** Compares the outcome of a call, which requires a credential. */
const compareCall = async (
  { client, compare }: Scenario,
  what: string,
  send: () => Promise<Result>,
  expected: string,
): Promise<Result> => {
  const result = await send();
  compare(what, result.outcome, client.isAnonymous ? 'unauthorised' : expected);
  return result;
};

const checkReads = async (scenario: Scenario): Promise<void> => {
  const { caller, client, compare } = scenario;
  const findable = accessOutcome(caller, 'story', 'find');
  for (const status of ['published', 'draft']) {
    const rule = listRule(caller, status);
    const access = findable === 'ok' && rule === null ? 'forbidden' : findable;
    const args = { type: 'story', populate: '*', sort: 'title', status };
    const found = await compareCall(scenario, `find ${status}`, () => client.mcp('find', args), access);
    if (found.outcome !== 'ok') continue;
    const visible = visibleTo(scenario, 'find', ...(status === 'draft' ? ['findDrafts'] : []));
    const records = visible.map((doc) => visibleRecord(caller, 'story', doc, { rule, depth: 1 }));
    compare(`found ${status}`, withoutSystemFields(dataOf(found)), records);
  }
  const access = accessOutcome(caller, 'story', 'findOne');
  const rule = grantedRule(caller, 'story', 'findOne');
  for (const doc of storiesOf(scenario)) {
    const expected = access === 'ok' && !isInScope(caller, rule, doc) ? 'missing' : access;
    const args = { type: 'story', documentId: doc.documentId, populate: '*', status: 'published' };
    const what = `get ${textOf(doc['title'])}`;
    const got = await compareCall(scenario, what, () => client.mcp('get', args), expected);
    if (got.outcome !== 'ok') continue;
    const record = visibleRecord(caller, 'story', doc, { rule, depth: 1 });
    compare(`the one of ${what}`, withoutSystemFields(dataOf(got)), record);
  }
  await compareCall(
    scenario,
    'find by an attribute that is private',
    () => client.mcp('find', { type: 'story', filters: { secret: 'secret-of-ann' } }),
    findable === 'ok' ? 'invalid' : findable,
  );
};

const checkUpdates = async (scenario: Scenario): Promise<void> => {
  const { client, compare, fixture } = scenario;
  for (const owner of ['ann', 'bob'] as const) {
    const documentId = await createStory(scenario, owner);
    let lastState = await readState(scenario);
    for (const attempt of attemptsOn(scenario)) {
      const before = storyOwnedBy(owner);
      const args = { type: 'story', documentId, data: attempt.data };
      let isChanged = false;
      for (const [what, call] of [
        ['draft', { ...args, status: 'draft' }],
        ['published', { ...args, status: 'published' }],
        ['dry run', { ...args, dryRun: true }],
      ] as const) {
        const expected = expectedOutcome(scenario, 'update', attempt, before, what !== 'published');
        isChanged ||= expected === 'ok' && !client.isAnonymous;
        await compareCall(
          scenario,
          `update ${attempt.what} of ${owner}'s, ${what}`,
          () => client.mcp('update', call),
          expected,
        );
        if (expected === 'ok' && attempt.result !== undefined)
          await fixture.testbed.request('PUT', `/api/stories/${documentId}`, {
            as: fixture.full,
            body: { data: { owner: fixture.users[owner]?.documentId } },
          });
      }
      if (isChanged) lastState = await readState(scenario);
    }
    compare(
      `rejected updates of ${owner}'s changed nothing`,
      (await readState(scenario)) === lastState,
      true,
    );
    await deleteStory(scenario, documentId);
  }
};

const checkCreates = async (scenario: Scenario): Promise<void> => {
  const { client, compare, fixture } = scenario;
  for (const owner of ['ann', 'bob'] as const) {
    for (const extra of [{}, { rating: 7 }, { card: { vault: fixture.ids.vault } }]) {
      const attempt: Attempt = {
        what: `of ${owner} with ${Object.keys(extra).join()}`,
        data: { title: 'made', owner: fixture.users[owner]?.documentId, ...extra },
        result: storyOwnedBy(owner),
      };
      const expected = expectedOutcome(scenario, 'create', attempt, storyOwnedBy(owner));
      const call = { type: 'story', status: 'published' };
      const { data } = attempt;
      await compareCall(
        scenario,
        `create ${attempt.what}`,
        () => client.mcp('create', { ...call, data }),
        expected,
      );
      await compareCall(
        scenario,
        `create two ${attempt.what}`,
        () => client.mcp('create', { ...call, items: [data, data] }),
        // The error of a list quotes those of its items.
        expected === 'forbidden' && accessOutcome(scenario.caller, 'story', 'create') === 'ok'
          ? 'invalid'
          : expected,
      );
      const { body } = await fixture.testbed.request('GET', '/api/stories?filters[title]=made', {
        as: fixture.full,
      });
      const created = (body as { data: { documentId: string }[] }).data;
      const count = expected === 'ok' && !client.isAnonymous ? 3 : 0;
      compare(`created ${attempt.what}`, created.length, count);
      for (const { documentId } of created) await deleteStory(scenario, documentId);
    }
  }
};

const checkDeletes = async (scenario: Scenario): Promise<void> => {
  const { client, compare, caller, fixture } = scenario;
  for (const owner of ['ann', 'bob'] as const) {
    const documentId = await createStory(scenario, owner);
    const story = storyOwnedBy(owner);
    const expected = writeOutcome(caller, { action: 'delete', names: [], before: story, after: story });
    const args = { type: 'story', documentId };
    await compareCall(scenario, `delete ${owner}'s`, () => client.mcp('delete', args), expected);
    compare(
      `deleted ${owner}'s`,
      (await fixture.testbed.request('GET', `/api/stories/${documentId}`, { as: fixture.full })).status,
      expected === 'ok' && !client.isAnonymous ? 404 : 200,
    );
    await deleteStory(scenario, documentId);
  }
};

/** Types that no tool serves, and the list of types, which names only those that the caller may use. */
const checkTypes = async (scenario: Scenario): Promise<void> => {
  const { client, compare, caller } = scenario;
  const refused = caller.grants === 'refused' ? 'unauthorised' : 'missing';
  for (const type of ['user', 'plugin::users-permissions.role'])
    await compareCall(scenario, `find ${type}`, () => client.mcp('find', { type }), refused);
  const listed = await compareCall(
    scenario,
    'list types',
    () => client.mcp('list_types', {}),
    caller.grants === 'refused' ? 'unauthorised' : 'ok',
  );
  if (listed.outcome !== 'ok') return;
  const isUsable = (['find', 'findOne', 'create', 'update', 'delete'] as const).some(
    (action) => accessOutcome(caller, 'story', action) === 'ok',
  );
  compare('stories are listed', JSON.stringify(listed.body).includes('api::story.story'), isUsable);
  compare('private attributes are listed', JSON.stringify(listed.body).includes('hush'), false);
};

/** Findings quote all content, so that the tool requires full access. */
const checkContentCheck = async (scenario: Scenario): Promise<void> => {
  const { caller, client } = scenario;
  const expected = caller.grants === 'everything' ? 'ok' : 'forbidden';
  await compareCall(
    scenario,
    'check content',
    () => client.mcp('check_content', { type: 'story' }),
    caller.grants === 'refused' ? 'unauthorised' : expected,
  );
};

export async function checkTools(scenario: Scenario): Promise<void> {
  await checkReads(scenario);
  await checkUpdates(scenario);
  await checkCreates(scenario);
  await checkDeletes(scenario);
  await checkTypes(scenario);
  await checkContentCheck(scenario);
}

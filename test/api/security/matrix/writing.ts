import type { Scenario } from './comparison.js';
import { accessOutcome, grantedRule, isBeyondLimits, isInScope, textOf, writeOutcome } from './oracle.js';
import type { SeedDocument, Outcome } from './oracle.js';
import type { Result } from './caller-client.js';

export interface Attempt {
  readonly what: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The document after the write, if it differs. */
  readonly result?: SeedDocument;
}

interface Target {
  readonly owner: 'ann' | 'bob';
  readonly documentId: string;
}

export const storyOwnedBy = (name: string): SeedDocument => ({
  title: 'fresh',
  owner: { username: name, title: `${name} title` },
});

export const attemptsOn = ({ fixture }: Scenario): readonly Attempt[] => [
  { what: 'nothing, which publishes', data: {} },
  { what: 'body', data: { body: 'changed' } },
  { what: 'rating', data: { rating: 7 } },
  { what: 'body and rating', data: { body: 'changed', rating: 7 } },
  { what: 'secret', data: { secret: 'changed' } },
  { what: 'vault', data: { vault: fixture.ids.vault } },
  { what: 'shelf', data: { shelf: fixture.ids.shelf } },
  { what: 'card', data: { card: { label: 'changed' } } },
  { what: 'card with vault', data: { card: { label: 'changed', vault: fixture.ids.vault } } },
  { what: 'cover', data: { cover: Number(fixture.ids.file) } },
  { what: 'owner', data: { owner: fixture.users['bob']?.documentId }, result: storyOwnedBy('bob') },
];

/** Links inside components require the permission on their target, like any others. */
const hasForbiddenComponentLink = ({ caller }: Scenario, { data }: Attempt): boolean =>
  JSON.stringify(data['card'] ?? '').includes('vault') && grantedRule(caller, 'vault', 'find') === null;

export const expectedOutcome = (
  scenario: Scenario,
  action: 'create' | 'update',
  attempt: Attempt,
  before: SeedDocument,
  isDraft = false,
): Outcome => {
  const outcome = writeOutcome(scenario.caller, {
    action,
    isDraft,
    names: Object.keys(attempt.data),
    before,
    after: attempt.result ?? before,
  });
  const isSeen =
    attempt.data['owner'] === undefined ||
    isInScope(
      scenario.caller,
      grantedRule(scenario.caller, 'user', 'find'),
      (attempt.result?.['owner'] ?? {}) as SeedDocument,
    );
  if (
    outcome === 'unauthorised' ||
    isBeyondLimits(grantedRule(scenario.caller, 'story', action), { action, isDraft }) ||
    accessOutcome(scenario.caller, 'story', action) !== 'ok' ||
    outcome === 'invalid'
  )
    return outcome;
  if (hasForbiddenComponentLink(scenario, attempt)) return 'invalid';
  const isCovered =
    action === 'create' || isInScope(scenario.caller, grantedRule(scenario.caller, 'story', action), before);
  return isCovered && !isSeen ? 'invalid' : outcome;
};

const graphqlInput = ({ data }: Attempt): object => ({
  ...data,
  ...(data['cover'] === undefined ? {} : { cover: textOf(data['cover']) }),
});

const updateRequests = (
  { client }: Scenario,
  { documentId }: Target,
  attempt: Attempt,
): readonly (readonly [string, () => Promise<Result>])[] => [
  ['rest', () => client.rest('PUT', `/api/stories/${documentId}`, { data: attempt.data })],
  ['rest draft', () => client.rest('PUT', `/api/stories/${documentId}?status=draft`, { data: attempt.data })],
  ['bulk', () => client.bulk('/api/stories', [{ action: 'update', documentId, data: attempt.data }])],
  [
    'graphql',
    () =>
      client.graphql(
        `mutation($id: ID!, $data: StoryInput!) {
          done: updateStory(documentId: $id, data: $data) { documentId }
        }`,
        { id: documentId, data: graphqlInput(attempt) },
      ),
  ],
];

export const readState = async ({ fixture }: Scenario): Promise<string> => {
  const { body } = await fixture.testbed.request(
    'GET',
    '/api/stories?status=draft&populate=*&pagination[pageSize]=100',
    { as: fixture.full },
  );
  return JSON.stringify(body);
};

export const createStory = ({ fixture }: Scenario, owner: string): Promise<string> =>
  fixture.createDocument('/api/stories', { title: 'fresh', owner: fixture.users[owner]?.documentId });

export const deleteStory = async ({ fixture }: Scenario, documentId: string): Promise<void> => {
  await fixture.testbed.request('DELETE', `/api/stories/${documentId}`, { as: fixture.full });
};

const checkUpdates = async (scenario: Scenario): Promise<void> => {
  for (const owner of ['ann', 'bob'] as const) {
    const target: Target = { owner, documentId: await createStory(scenario, owner) };
    let lastState = await readState(scenario);
    for (const attempt of attemptsOn(scenario)) {
      const before = storyOwnedBy(owner);
      const outcomes = new Set<Outcome>();
      for (const [transport, send] of updateRequests(scenario, target, attempt)) {
        const isDraft = transport === 'rest draft';
        const expected = expectedOutcome(scenario, 'update', attempt, before, isDraft);
        outcomes.add(expected);
        scenario.compare(
          `${transport} update ${attempt.what} of ${owner}'s`,
          (await send()).outcome,
          expected,
        );
        if (expected === 'ok' && attempt.result !== undefined)
          await scenario.fixture.testbed.request('PUT', `/api/stories/${target.documentId}`, {
            as: scenario.fixture.full,
            body: { data: { owner: scenario.fixture.users[owner]?.documentId } },
          });
      }
      if (outcomes.has('ok')) lastState = await readState(scenario);
      else
        scenario.compare(
          `update ${attempt.what} of ${owner}'s changed nothing`,
          scenario.caller.grants === 'refused' || (await readState(scenario)) === lastState,
          true,
        );
    }
    if (scenario.caller.grants === 'refused')
      scenario.compare(
        `updates of ${owner}'s changed nothing`,
        (await readState(scenario)) === lastState,
        true,
      );
    await deleteStory(scenario, target.documentId);
  }
};

const checkDeletes = async (scenario: Scenario): Promise<void> => {
  const { client, compare, caller, fixture } = scenario;
  const access = accessOutcome(caller, 'story', 'delete');
  for (const owner of ['ann', 'bob'] as const) {
    for (const transport of ['rest', 'bulk', 'graphql']) {
      const documentId = await createStory(scenario, owner);
      const expected = writeOutcome(caller, {
        action: 'delete',
        names: [],
        before: storyOwnedBy(owner),
        after: storyOwnedBy(owner),
      });
      const result =
        transport === 'rest'
          ? await client.rest('DELETE', `/api/stories/${documentId}`)
          : transport === 'bulk'
            ? await client.bulk(
                '/api/stories',
                [
                  { action: 'delete', documentId },
                  { action: 'delete', documentId: 'nosuchstory' },
                ].slice(0, expected === 'ok' ? 2 : 1),
              )
            : await client.graphql(
                'mutation($id: ID!) { done: deleteStory(documentId: $id) { documentId } }',
                {
                  id: documentId,
                },
              );
      // Deleting what is not there succeeds.
      compare(`${transport} delete ${owner}'s`, result.outcome, expected === 'missing' ? 'ok' : expected);
      compare(
        `${transport} deleted ${owner}'s`,
        (await fixture.testbed.request('GET', `/api/stories/${documentId}`, { as: fixture.full })).status,
        expected === 'ok' ? 404 : 200,
      );
      await deleteStory(scenario, documentId);
    }
  }
  compare(
    'delete what is not there',
    (await client.rest('DELETE', '/api/stories/nosuchstory')).outcome,
    access,
  );
};

const checkCreates = async (scenario: Scenario): Promise<void> => {
  const { client, compare, fixture } = scenario;
  for (const owner of ['ann', 'bob'] as const) {
    for (const extra of [
      {},
      { rating: 7 },
      { vault: fixture.ids.vault },
      { card: { vault: fixture.ids.vault } },
    ]) {
      const attempt: Attempt = {
        what: `of ${owner} with ${Object.keys(extra).join()}`,
        data: { title: 'made', owner: fixture.users[owner]?.documentId, ...extra },
        result: storyOwnedBy(owner),
      };
      const expected = expectedOutcome(scenario, 'create', attempt, storyOwnedBy(owner));
      const before = await readState(scenario);
      compare(
        `rest create ${attempt.what}`,
        (await client.rest('POST', '/api/stories', { data: attempt.data })).outcome,
        expected,
      );
      const item = { action: 'create', data: attempt.data };
      compare(
        `bulk create ${attempt.what}`,
        (await client.bulk('/api/stories', [item, item])).outcome,
        expected,
      );
      compare(
        `graphql create ${attempt.what}`,
        (
          await client.graphql(
            'mutation($data: StoryInput!) { done: createStory(data: $data) { documentId } }',
            { data: attempt.data },
          )
        ).outcome,
        expected,
      );
      const { body } = await fixture.testbed.request('GET', '/api/stories?filters[title]=made', {
        as: fixture.full,
      });
      const created = (body as { data: { documentId: string }[] }).data;
      compare(`created ${attempt.what}`, created.length, expected === 'ok' ? 4 : 0);
      for (const { documentId } of created) await deleteStory(scenario, documentId);
      compare(`state after ${attempt.what}`, (await readState(scenario)) === before, true);
    }
  }
};

/** Publishing, unpublishing and scheduling change published versions; discarding a draft does not. */
const checkVersions = async (scenario: Scenario): Promise<void> => {
  const { caller, client, compare, fixture } = scenario;
  const documentId = await createStory(scenario, 'ann');
  const story = storyOwnedBy('ann');
  const expected = (isDraft: boolean): Outcome =>
    writeOutcome(caller, { action: 'update', names: [], before: story, after: story, isDraft });
  const published = async (): Promise<unknown> =>
    (await fixture.testbed.request('GET', `/api/stories/${documentId}?fields=title`, { as: fixture.full }))
      .body;
  const before = await published();
  const at = { publishAt: '2090-01-01T00:00:00.000Z' };
  for (const [what, isDraft, send] of [
    ['bulk discard', true, () => client.bulk('/api/stories', [{ action: 'discardDraft', documentId }])],
    ['bulk publish', false, () => client.bulk('/api/stories', [{ action: 'publish', documentId }])],
    ['rest schedule', false, () => client.rest('PUT', `/api/stories/${documentId}/schedule`, { data: at })],
    [
      'graphql schedule',
      false,
      () =>
        client.graphql(
          'mutation($id: ID!, $at: DateTime) ' +
            '{ done: scheduleStory(documentId: $id, publishAt: $at) { publishAt } }',
          { id: documentId, at: at.publishAt },
        ),
    ],
  ] as const)
    compare(what, (await send()).outcome, expected(isDraft));
  if (expected(false) !== 'ok')
    compare('published as before', JSON.stringify(await published()), JSON.stringify(before));
  const unpublish = await client.bulk('/api/stories', [{ action: 'unpublish', documentId }]);
  compare('bulk unpublish', unpublish.outcome, expected(false));
  await deleteStory(scenario, documentId);
};

/** The only document of the single type, which ann owns. */
const checkBulletin = async ({ caller, client, compare, fixture }: Scenario): Promise<void> => {
  const find = accessOutcome(caller, 'bulletin', 'find');
  compare('rest bulletin', (await client.rest('GET', '/api/bulletin?populate=*')).outcome, find);
  compare('graphql bulletin', (await client.graphql('{ done: bulletin { text } }')).outcome, find);
  const access = accessOutcome(caller, 'bulletin', 'update');
  const update =
    access === 'ok' && !isInScope(caller, grantedRule(caller, 'bulletin', 'update'), storyOwnedBy('ann'))
      ? 'forbidden'
      : access;
  compare(
    'rest update bulletin',
    (await client.rest('PUT', '/api/bulletin', { data: { text: 'new' } })).outcome,
    update,
  );
  compare(
    'graphql update bulletin',
    (await client.graphql('mutation { done: updateBulletin(data: { text: "newer" }) { documentId } }'))
      .outcome,
    update,
  );
  for (const [transport, send] of [
    ['rest', () => client.rest('DELETE', '/api/bulletin')],
    ['graphql', () => client.graphql('mutation { done: deleteBulletin { documentId } }')],
  ] as const) {
    compare(
      `${transport} delete bulletin`,
      (await send()).outcome,
      accessOutcome(caller, 'bulletin', 'delete'),
    );
    await fixture.testbed.request('PUT', '/api/bulletin', {
      as: fixture.full,
      body: {
        data: { text: 'read all about it', hush: 'hush-of-all', owner: fixture.users['ann']?.documentId },
      },
    });
  }
};

export async function checkWriting(scenario: Scenario): Promise<void> {
  await checkUpdates(scenario);
  await checkDeletes(scenario);
  await checkCreates(scenario);
  await checkVersions(scenario);
  await checkBulletin(scenario);
}

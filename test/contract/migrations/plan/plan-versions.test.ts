import { describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { createContentFixture } from '../content-fixture.js';
import { findDrift, rejectionOf } from '../migration-fixture.js';
import { createStories, storiesOf } from '../versioned-stories.js';

const DRAFT = { status: 'draft' };
const FR = { locale: 'fr' };
const PLAIN = {};
const DRAFTED = { draftAndPublish: true };
const LOCALIZED = { localized: true };
const STORY = 'api::story.story';
const EDITED = 'without drafts, changes since the last publication are dropped';
const UNPUBLISHED = 'without drafts, documents that were never published become public';
const LOCALES = 'without locales, one version of each document stays and the others are dropped';
const uniqueReason = (when: string): string => `it becomes unique${when}, and shares a value`;

describe.each(databases)('changing the versioning of a type on $name', (kind: TestDatabaseKind) => {
  const { open, links, backLinks, createLinkedDocuments, readAllLinks } = createStories(kind);

  it('adds a draft with the same links to everything published, where drafts are enabled', async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(storiesOf(PLAIN));
    const linked = await createLinkedDocuments(await open(fixture, PLAIN));
    const before = await readAllLinks(await open(fixture, PLAIN), linked);
    const { impact } = await fixture.migrate(storiesOf(DRAFTED));
    expect(impact).toEqual([]);
    expect(await findDrift(kind, fixture, fixture.prismaSchema(storiesOf(DRAFTED)))).toBe('');
    const api = await open(fixture, DRAFTED);
    expect(await readAllLinks(api, linked)).toEqual(before);
    expect(await readAllLinks(api, linked, DRAFT)).toEqual(before);
    expect(await api.list('story', { ...DRAFT, sort: 'title' })).toMatchObject([
      { title: 'first', publishedAt: null, rank: 1 },
      { title: 'second', publishedAt: null },
    ]);
    expect(await api.list('story', { publicationFilter: 'unmodified' })).toHaveLength(2);
    await api.update('story', linked.stories[0] ?? '', { tags: [], title: 'edited' }, DRAFT);
    expect(await readAllLinks(api, linked)).toEqual(before);
  });

  it('does the same on another database that the migration is applied to', async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(storiesOf(PLAIN));
    const otherDatabase = await fixture.withEmptyDatabase();
    await otherDatabase.apply();
    const linked = await createLinkedDocuments(await open(otherDatabase, PLAIN));
    const before = await readAllLinks(await open(otherDatabase, PLAIN), linked);
    await fixture.migrate(storiesOf(DRAFTED));
    await otherDatabase.apply();
    const api = await open(otherDatabase, DRAFTED);
    expect([await readAllLinks(api, linked), await readAllLinks(api, linked, DRAFT)]).toEqual([
      before,
      before,
    ]);
  });

  it('keeps published content and unpublished drafts, after asking, where drafts are disabled', async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(storiesOf(DRAFTED));
    const drafted = await open(fixture, DRAFTED);
    const linked = await createLinkedDocuments(drafted);
    const before = await readAllLinks(drafted, linked);
    const [a = ''] = linked.tags;
    const { documentId: hidden } = await drafted.create(
      'story',
      { title: 'hidden', tags: [a], next: linked.stories[0] },
      DRAFT,
    );
    expect((await fixture.preview(storiesOf(PLAIN))).impact).toMatchObject([
      { kind: 'dropped', type: STORY, path: null, values: 1, reason: UNPUBLISHED },
    ]);
    await drafted.update('story', linked.stories[0] ?? '', { title: 'pending', tags: [] }, DRAFT);
    expect((await rejectionOf(fixture.migrate(storiesOf(PLAIN)))).details['changes']).toMatchObject([
      { kind: 'dropped', type: STORY, path: null, values: 1, reason: EDITED },
      { kind: 'dropped', type: STORY, path: null, values: 1, reason: UNPUBLISHED },
    ]);
    await fixture.migrate(storiesOf(PLAIN), { acceptsDataLoss: true });
    expect(await findDrift(kind, fixture, fixture.prismaSchema(storiesOf(PLAIN)))).toBe('');
    const api = await open(fixture, PLAIN);
    expect(
      (await api.list('story', { sort: 'title' })).map(({ title, publishedAt }) => [
        title,
        publishedAt !== null,
      ]),
    ).toEqual([
      ['first', true],
      ['hidden', true],
      ['second', true],
    ]);
    expect(await links(api, hidden)).toMatchObject({ tags: [a], next: linked.stories[0] });
    expect(await links(api, linked.stories[0] ?? '')).toEqual(
      (before as { readonly stories: readonly unknown[] }).stories[0],
    );
    expect(await backLinks(api, 'event', linked.event)).toEqual(
      (before as { readonly event: unknown }).event,
    );
    expect(await backLinks(api, 'tag', a)).toEqual([
      [linked.stories[1], linked.stories[0], hidden],
      [linked.stories[1], linked.stories[0]],
      linked.stories[0],
      [linked.stories[1], linked.stories[0]],
    ]);
  });

  it.each([
    {
      what: 'drafts are disabled',
      from: DRAFTED,
      to: PLAIN,
      // A draft of a published document is dropped: its value counts for nothing.
      documents: [
        [{ title: 'one' }, {}],
        [{ title: 'one' }, DRAFT],
        [{ title: 'two' }, DRAFT],
        [{ title: 'two' }, DRAFT],
        [{ title: 'free' }, DRAFT],
      ],
      found: { path: 'title', reason: uniqueReason(' without drafts'), values: 4 },
    },
    {
      what: 'locales are disabled',
      from: LOCALIZED,
      to: PLAIN,
      documents: [
        [{ title: 'one' }, {}],
        [{ title: 'one' }, FR],
        [{ title: 'free' }, FR],
      ],
      found: { path: 'title', reason: uniqueReason(' without locales'), values: 2 },
    },
    {
      what: 'drafts and locales are disabled',
      from: { ...DRAFTED, ...LOCALIZED },
      to: PLAIN,
      documents: [
        [{ title: 'one' }, {}],
        [{ title: 'one' }, { ...FR, ...DRAFT }],
      ],
      found: { path: 'title', reason: uniqueReason(' without drafts and locales'), values: 2 },
    },
    {
      what: 'locales come to share the attribute',
      from: LOCALIZED,
      to: { ...LOCALIZED, localizedAttributes: ['rank'] },
      documents: [
        [{ title: 'one' }, {}, { title: 'un' }],
        [{ title: 'one' }, FR],
      ],
      found: { path: 'title + locale', reason: uniqueReason(' once all locales share it'), values: 2 },
    },
  ] as const)('counts unique values that would be shared where $what', async (row) => {
    const [from, to] = [
      { ...row.from, isTitleUnique: true },
      { ...row.to, isTitleUnique: true },
    ];
    const fixture = await createContentFixture(kind);
    await fixture.migrate(storiesOf(from));
    const api = await open(fixture, from);
    for (const [data, params, french] of row.documents) {
      const { documentId } = await api.create('story', data, params);
      if (french !== undefined) await api.update('story', documentId, french, FR);
    }
    const titles = 'SELECT document_id, locale, status, title FROM stories ORDER BY id';
    const before = await fixture.rows(titles);

    const error = await rejectionOf(fixture.migrate(storiesOf(to), { acceptsDataLoss: true }));

    expect(error.code).toBe('migration/constraint-violation');
    expect(error.details['changes']).toContainEqual(
      expect.objectContaining({ kind: 'invalid', type: STORY, isRejected: true, ...row.found }),
    );
    expect(await fixture.rows(titles)).toEqual(before);
    await fixture.run(`UPDATE stories SET title = document_id`);
    await fixture.migrate(storiesOf(to), { acceptsDataLoss: true });
    expect(await findDrift(kind, fixture, fixture.prismaSchema(storiesOf(to)))).toBe('');
  });

  it('loses nothing where drafts and locales are enabled and disabled again', async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(storiesOf(PLAIN));
    const linked = await createLinkedDocuments(await open(fixture, PLAIN));
    const before = await readAllLinks(await open(fixture, PLAIN), linked);
    for (const options of [DRAFTED, { ...DRAFTED, ...LOCALIZED }, LOCALIZED, PLAIN]) {
      expect((await fixture.migrate(storiesOf(options))).impact).toEqual([]);
      expect(await readAllLinks(await open(fixture, options), linked)).toEqual(before);
    }
    expect(await findDrift(kind, fixture, fixture.prismaSchema(storiesOf(PLAIN)))).toBe('');
  });

  it('moves everything to the default locale where locales are enabled', async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(storiesOf(PLAIN));
    const linked = await createLinkedDocuments(await open(fixture, PLAIN));
    const [no, yes] = kind.name === 'sqlite' ? ['0', '1'] : ['false', 'true'];
    await fixture.run(
      `INSERT INTO "cms_locales" ("document_id", "code", "name", "is_default", "updated_at") VALUES
        ('l1', 'en', 'English', ${no}, '2026-01-01T00:00:00.000Z'),
        ('l2', 'fr', 'French', ${yes}, '2026-01-01T00:00:00.000Z')`,
    );
    // Links to the English versions of an event have no place in stories that are French alone.
    const { impact } = await fixture.migrate(storiesOf(LOCALIZED), { acceptsDataLoss: true });
    expect(impact).toMatchObject([
      { kind: 'dropped', type: STORY, path: 'event', values: 2 },
      { kind: 'dropped', type: STORY, path: 'events', values: 1 },
    ]);
    const api = await open(fixture, LOCALIZED);
    expect(await api.list('story')).toEqual([]);
    expect(await api.list('story', { ...FR, sort: 'title' })).toMatchObject([
      { title: 'first', locale: 'fr' },
      { title: 'second', locale: 'fr' },
    ]);
    expect(await links(api, linked.stories[0] ?? '', FR)).toMatchObject({
      tags: [linked.tags[1], linked.tags[0]],
      next: linked.stories[1],
      related: [linked.stories[1], linked.stories[0]],
    });
    expect(await backLinks(api, 'tag', linked.tags[0] ?? '')).toEqual([
      [linked.stories[1], linked.stories[0]],
      [linked.stories[1], linked.stories[0]],
      linked.stories[0],
      [linked.stories[1], linked.stories[0]],
    ]);
  });

  it('keeps the default locale or else the oldest, after asking, where locales are disabled', async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(storiesOf(LOCALIZED));
    const localized = await open(fixture, LOCALIZED);
    const linked = await createLinkedDocuments(localized);
    const before = await readAllLinks(localized, linked);
    const { documentId: french } = await localized.create('story', { title: 'seulement' }, FR);
    expect((await fixture.preview(storiesOf(PLAIN))).impact).toEqual([]);
    await localized.update('story', linked.stories[0] ?? '', { title: 'premier', tags: [] }, FR);
    expect((await rejectionOf(fixture.migrate(storiesOf(PLAIN)))).details['changes']).toMatchObject([
      { kind: 'dropped', type: STORY, path: null, values: 1, reason: LOCALES },
    ]);
    await fixture.migrate(storiesOf(PLAIN), { acceptsDataLoss: true });
    const api = await open(fixture, PLAIN);
    expect(await readAllLinks(api, linked)).toEqual(before);
    expect((await api.list('story', { sort: 'title' })).map(({ title }) => title)).toEqual([
      'first',
      'second',
      'seulement',
    ]);
    expect(await api.update('story', french, { rank: 7 })).toMatchObject({ rank: 7 });
  });

  it('keeps the value of the default locale, after asking, where an attribute becomes shared', async () => {
    const fixture = await createContentFixture(kind);
    const apart = { ...DRAFTED, ...LOCALIZED, localizedAttributes: ['title', 'rank', 'extra'] };
    const together = { ...DRAFTED, ...LOCALIZED };
    await fixture.migrate(storiesOf(apart));
    const api = await open(fixture, apart);
    const { documentId } = await api.create('story', { title: 'en', rank: 1, extra: { a: [1] } });
    await api.update('story', documentId, { title: 'fr', rank: 1, extra: { a: [1] } }, FR);
    expect((await fixture.preview(storiesOf(together))).impact).toEqual([]);
    await api.update('story', documentId, { rank: 2, extra: null }, FR);
    expect((await rejectionOf(fixture.migrate(storiesOf(together)))).details['changes']).toMatchObject([
      { kind: 'dropped', type: STORY, path: 'rank', values: 2 },
    ]);
    await fixture.migrate(storiesOf(together), { acceptsDataLoss: true });
    const shared = await open(fixture, together);
    for (const status of ['draft', 'published'])
      expect(await shared.one('story', documentId, { ...FR, status })).toMatchObject({
        title: 'fr',
        rank: 1,
        extra: { a: [1] },
      });
    expect((await fixture.migrate(storiesOf(apart))).impact).toEqual([]);
    const again = await open(fixture, apart);
    await again.update('story', documentId, { rank: 5 }, FR);
    expect((await rejectionOf(fixture.migrate(storiesOf(together)))).details['changes']).toMatchObject([
      { kind: 'dropped', type: STORY, path: 'rank', values: 2 },
    ]);
  });
});

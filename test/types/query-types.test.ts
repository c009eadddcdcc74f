import { describe, expect, it } from 'vitest';
import { compileFrontEnd } from '../support/compile-front-end.js';
import type { ContentModel } from '../../src/model/model.js';
import { loadFixtureModel, modelFrom } from '../support/models.js';
import type { Attributes } from '../support/models.js';

/** Each mistake stands below a comment that fails to compile where the mistake is accepted. */
const USAGE = `
import type {
  Article,
  ContentTypes,
  Draft,
  Homepage,
  ListResponse,
  Query,
  Result,
  UploadFile,
  UsersPermissionsUser,
} from './types/index.js';

declare function find<const Q extends Query<Article>>(query: Q): ListResponse<Result<Article, Q>>;
declare function home<const Q extends Query<Homepage>>(query: Q): Result<Homepage, Q>;
const only = <T>(value: T): void => void value;

// Files
declare const file: UploadFile;
only<string | undefined>(file.formats?.thumbnail?.url);
only<number | undefined>(file.formats?.['huge']?.width);
// @ts-expect-error a format has no such value
file.formats?.thumbnail?.colour;
declare const user: ContentTypes['plugin::users-permissions.user']['document'];
only<UsersPermissionsUser>(user);
only<string>(user.username);
// @ts-expect-error never leaves the server
user.password;
only<ContentTypes['plugin::upload.file']['document']>(file);
only<Query<UsersPermissionsUser>>({ filters: { email: 'a@example.com' }, populate: 'role' });

// Populate
const [dotted] = find({ populate: 'author.avatar' }).data;
only<string | undefined>(dotted?.author?.avatar?.formats?.thumbnail?.url);
only<string | undefined>(dotted?.author?.name);
// @ts-expect-error not populated
dotted?.tags;
// @ts-expect-error not populated
dotted?.author?.profile;
const [several] = find({ populate: ['author.profile.favouriteTags', 'tags', 'cover', 'author.avatar'] }).data;
only<string[] | undefined>(several?.author?.profile?.favouriteTags.map(({ name }) => name));
only<string | undefined>(several?.author?.avatar?.url);
only<string | undefined>(several?.cover?.url);
const [commas] = find({ populate: 'author,tags', fields: 'title,slug' }).data;
only<string | undefined>(commas?.tags[0]?.name);
only<string | null | undefined>(commas?.slug);
// @ts-expect-error not selected
commas?.views;
const [all] = find({ populate: '*' }).data;
const [deeper] = find({ populate: ['*', 'author.avatar'] }).data;
only<string | undefined>(deeper?.author?.avatar?.url);
only<string | undefined>(deeper?.tags[0]?.name);
find({ populate: '*,author.avatar' });
only<string | undefined>(all?.localizations[0]?.locale);
only<string | undefined>(all?.gallery?.[0]?.url);
const [deep] = find({
  fields: ['title'],
  populate: {
    author: { fields: ['name'], populate: { articles: { fields: ['slug'], populate: { tags: true } } } },
    tags: { count: true },
    cover: false,
    seo: { populate: '*' },
  },
}).data;
only<string | undefined>(deep?.title);
only<string | undefined>(deep?.documentId);
only<string | undefined>(deep?.author?.articles[0]?.tags[0]?.label ?? undefined);
only<number | undefined>(deep?.tags.count);
only<string | undefined>(deep?.seo?.image?.url);
only<string | null | undefined>(deep?.seo?.social[0]?.handle);
// @ts-expect-error not selected
deep?.views;
// @ts-expect-error not selected
deep?.author?.bio;
// @ts-expect-error not selected
deep?.author?.articles[0]?.title;
// @ts-expect-error switched off
deep?.cover;
// @ts-expect-error nothing to populate
find({ populate: 'titel' });
// @ts-expect-error nothing to populate
find({ populate: 'author.nothing' });
// @ts-expect-error nothing to populate
find({ populate: ['tags', 'author.name'] });
// @ts-expect-error nothing to populate
find({ populate: { author: { populate: { hat: true } } } });
// @ts-expect-error no such option
only<Query<Article>>({ populate: { author: { fields: ['name'], colour: 'red' } } });

// Dynamic zones
const zone = home({
  populate: { sections: { on: { 'sections.quote': { fields: ['text'] }, 'sections.text': true } } },
});
for (const section of zone.sections) {
  if (section.__component === 'sections.quote') {
    only<string>(section.text);
    // @ts-expect-error not selected
    section.source;
  } else {
    only<'sections.text'>(section.__component);
    only<string | null>(section.body);
  }
}
const quotes = home({ populate: { sections: { on: { 'sections.quote': true } } } });
only<'sections.quote' | undefined>(quotes.sections[0]?.__component);
// @ts-expect-error no such component
only<Query<Homepage>>({ populate: { sections: { on: { 'sections.nothing': true } } } });
// @ts-expect-error not in this zone
only<Query<Homepage>>({ populate: { sections: { on: { 'shared.seo': true } } } });
// @ts-expect-error no such attribute
home({ populate: { sections: { on: { 'sections.quote': { fields: ['colour'] } } } } });
// @ts-expect-error one selection for all components is not possible
home({ populate: { sections: { fields: ['text'] } } });

// Sort and fields
find({ sort: 'title', fields: 'title' }).data[0]?.title.trim();
find({ sort: ['views:desc', 'author.name:asc', { tags: { name: 'desc' } }], fields: '*' }).data[0]?.views;
find({ sort: 'title:asc,views:desc' });
find({ sort: { author: { name: 'asc' } } });
// @ts-expect-error no such attribute
find({ sort: 'colour' });
// @ts-expect-error no such direction
find({ sort: 'title:down' });
// @ts-expect-error no such attribute of the author
find({ sort: 'author.colour:asc' });
// @ts-expect-error a relation is no order
find({ sort: ['title', 'author'] });
// @ts-expect-error no such direction
find({ sort: { title: 'up' } });
// @ts-expect-error no such attribute
find({ fields: 'colour' });
// @ts-expect-error relations are populated
find({ fields: ['title', 'author'] });

// Other parameters
find({ _q: 'sea', publicationFilter: 'modified', hasPublishedVersion: true, locale: ['en', 'fr'] });
// @ts-expect-error no such filter
find({ publicationFilter: 'changed' });
// @ts-expect-error not text
find({ _q: 1 });
// @ts-expect-error true or false
find({ hasPublishedVersion: 'yes' });

// Drafts
const [published] = find({ status: 'published', populate: ['tags', 'seo'] }).data;
only<string | undefined>(published?.title);
only<string | undefined>(published?.seo?.metaTitle);
const [draft] = find({ status: 'draft', populate: ['tags', 'seo'] }).data;
only<string | null | undefined>(draft?.title);
// @ts-expect-error may be null
only<string | undefined>(draft?.title);
// @ts-expect-error may be null in the component of a draft
only<string | undefined>(draft?.seo?.metaTitle);
// A tag has no drafts.
only<string | undefined>(draft?.tags[0]?.name);
only<string | undefined>(draft?.documentId);
declare const chosen: 'draft' | 'published';
// @ts-expect-error may be null
only<string | undefined>(find({ status: chosen }).data[0]?.title);
declare const asDraft: Draft<Article>;
only<string | null>(asDraft.title);
only<Draft<Article>>({} as Article);
// @ts-expect-error a draft is not complete
only<Article>(asDraft);
// A query of which nothing is known
declare const open: Query<Article>;
only<string | undefined>(find(open).data[0]?.author?.name);
only<Article | undefined>(find({ fields: '*' }).data[0]);
`;

const NUMBERS = Array.from({ length: 50 }, (_, index) => index);

/** Fifty types, each with twelve relations to others. */
const largeModel = (): ContentModel => {
  const attributes = (index: number): Attributes =>
    Object.fromEntries([
      ...NUMBERS.slice(0, 12).map((name) => [`text${name}`, { type: 'string', required: true }]),
      ...NUMBERS.slice(0, 12).map((name) => {
        const target = `thing${(index + 3 * name + 1) % NUMBERS.length}`;
        return [
          `things${name}`,
          { type: 'relation', relation: 'manyToMany', target: `api::${target}.${target}` },
        ];
      }),
    ]);
  const types = NUMBERS.map((index) => [
    `thing${index}`,
    { pluralName: `things-${index}`, draftAndPublish: true, attributes: attributes(index) },
  ]);
  return modelFrom({ types: Object.fromEntries(types) });
};

const LARGE_USAGE = `
import type { Collections, Query, Result } from './types/index.js';
declare function find<
  const Name extends keyof Collections,
  const Q extends Query<Collections[Name]['document']>,
>(name: Name, query: Q): Result<Collections[Name]['document'], Q>[];
${NUMBERS.slice(0, 5)
  .map(
    (index) => `
export const deep${index}: string | null | undefined = find('things-${index}', {
  sort: ['things1.text1:desc'],
  filters: { things3: { things4: { text1: 'x' } } },
  populate: ['things1.things2.things3.things4.things5', 'things6'],
})[0]?.things1[0]?.things2[0]?.things3[0]?.things4[0]?.things5[0]?.text1;`,
  )
  .join('')}
`;

describe('the types of queries and their results', () => {
  it('follow fields, populate and status at every depth', async () => {
    expect(await compileFrontEnd(await loadFixtureModel('magazine'), USAGE)).toBe('');
  });

  it('cost the compiler little in a project of fifty types', async () => {
    const output = await compileFrontEnd(largeModel(), LARGE_USAGE, ['--extendedDiagnostics']);
    expect(output).not.toContain('error');
    const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(output)?.[1]);
    expect(instantiations).toBeGreaterThan(0);
    expect(instantiations).toBeLessThan(100_000);
  });
});

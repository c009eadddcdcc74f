import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint } from './support/endpoint.js';

const WRITER = 'api::guest-writer.guest-writer';
const POST = 'api::blog-post.blog-post';

describe.each(databases)('names with hyphens and polymorphic relations over GraphQL on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let endpoint: Endpoint;
  const ask = async (
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> => {
    const { body } = await endpoint.ask(query, { variables });
    expect(body.errors?.map(({ message, path }) => ({ message, path }))).toBeUndefined();
    return body.data as Readonly<Record<string, unknown>>;
  };
  const create = async (type: string, data: Readonly<Record<string, unknown>>): Promise<string> => {
    const { made } = await ask(
      `mutation m($data: ${type}Input!) { made: create${type}(data: $data) { documentId } }`,
      { data },
    );
    return (made as { readonly documentId: string }).documentId;
  };
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({
      model: {
        types: {
          'blog-post': {
            attributes: {
              'sub-title': { type: 'string' },
              'kind-of': { type: 'enumeration', enum: ['long-read', 'news'] },
              'main-writer': {
                type: 'relation',
                relation: 'manyToOne',
                target: WRITER,
                inversedBy: 'blog-posts',
              },
              'side-writer': {
                type: 'relation',
                relation: 'manyToOne',
                target: WRITER,
                inversedBy: 'blogPosts',
              },
              'side-bar': { type: 'component', component: 'page-parts.side-bar', repeatable: true },
              not: { type: 'string' },
              or: { type: 'string' },
              parts: { type: 'dynamiczone', components: ['page-parts.call'] },
              pinned: { type: 'relation', relation: 'morphToOne' },
              'see-also': { type: 'relation', relation: 'morphToMany' },
            },
          },
          'guest-writer': {
            attributes: {
              'full-name': { type: 'string' },
              'seen-at': { type: 'timestamp' },
              'blog-posts': {
                type: 'relation',
                relation: 'oneToMany',
                target: POST,
                mappedBy: 'main-writer',
              },
              blogPosts: { type: 'relation', relation: 'oneToMany', target: POST, mappedBy: 'side-writer' },
              'mentioned-in': { type: 'relation', relation: 'morphMany', target: POST, morphBy: 'see-also' },
            },
          },
        },
        components: {
          'page-parts.side-bar': {
            attributes: {
              'link-text': { type: 'string' },
              'leads-to': { type: 'relation', relation: 'morphToMany' },
            },
          },
          'page-parts.call': {
            attributes: {
              'opens-in': { type: 'enumeration', enum: ['_blank', 'same tab', 'R&D'] },
              'side-bar': { type: 'component', component: 'page-parts.side-bar', repeatable: true },
            },
          },
        },
      },
      database,
    });
    endpoint = await createEndpoint({ testEnvironment });
  });
  afterAll(async () => {
    await endpoint.close();
    await testEnvironment.close();
  });

  it('prints timestamps as its type demands, with and without resolvers', async () => {
    const moment = '2026-02-28T13:45:00.123Z';
    const writer = await create('GuestWriter', { full_name: 'Seen', seen_at: moment });
    for (const directive of ['', '@include(if: true)'])
      expect(await ask(`{ guestWriter(documentId: "${writer}") { seen_at ${directive} } }`)).toEqual({
        guestWriter: { seen_at: moment },
      });
  });

  it('writes, filters, sorts and reads attributes whose names have hyphens', async () => {
    const writer = await create('GuestWriter', { full_name: 'Ada' });
    const post = await create('BlogPost', {
      sub_title: 'on hyphens',
      kind_of: 'long_read',
      main_writer: writer,
      side_bar: [{ link_text: 'here' }, { link_text: 'there' }],
    });
    const found = await ask(`{
      blogPosts(
        filters: {
          sub_title: { contains: "hyphen" }
          main_writer: { full_name: { eq: "Ada" } }
          kind_of: { eq: "long-read" }
        }
        sort: "sub-title:desc"
      ) {
        documentId
        sub_title
        kind: kind_of
        main_writer { full_name again: blog_posts(pagination: {limit: 1}) { sub_title } }
        side_bar(sort: "link-text:desc") { link_text }
      }
      guestWriter(documentId: "${writer}") { blog_posts_connection { nodes { sub_title } } }
    }`);
    expect(found).toEqual({
      blogPosts: [
        {
          documentId: post,
          sub_title: 'on hyphens',
          kind: 'long_read',
          main_writer: { full_name: 'Ada', again: [{ sub_title: 'on hyphens' }] },
          side_bar: [{ link_text: 'there' }, { link_text: 'here' }],
        },
      ],
      guestWriter: { blog_posts_connection: { nodes: [{ sub_title: 'on hyphens' }] } },
    });
  });

  it('keeps inverse relations apart whose names are equal in snake case', async () => {
    const writer = await create('GuestWriter', { full_name: 'Grace' });
    await create('BlogPost', { sub_title: 'first', main_writer: writer });
    await create('BlogPost', { sub_title: 'second', side_writer: writer });
    expect(
      await ask(
        `{ guestWriter(documentId: "${writer}") { blog_posts { sub_title } blogPosts { sub_title } } }`,
      ),
    ).toEqual({
      guestWriter: { blog_posts: [{ sub_title: 'first' }], blogPosts: [{ sub_title: 'second' }] },
    });
  });

  it('filters by enumeration values as shown and as stored', async () => {
    const post = await create('BlogPost', { sub_title: 'of a kind', kind_of: 'long_read' });
    await create('BlogPost', { sub_title: 'of a kind', kind_of: 'news' });
    for (const condition of [
      '{ eq: "long-read" }',
      '{ eq: "long_read" }',
      '{ in: ["long_read", "nothing"] }',
      '{ ne: "news" }',
      '{ not: { eq: "news" } }',
      '{ contains: "long-" }',
    ]) {
      expect([
        condition,
        await ask(
          `{ blogPosts(filters: { sub_title: { eq: "of a kind" }, kind_of: ${condition} }) { documentId } }`,
        ),
      ]).toEqual([condition, { blogPosts: [{ documentId: post }] }]);
    }
  });

  it('keeps not and or for logic in filters where attributes have these names', async () => {
    const post = await create('BlogPost', { sub_title: 'logic', not: 'n', or: 'o' });
    const found = await ask(
      `
        {
          blogPosts(
            filters: {
              sub_title: { eq: "logic" }
              not: { sub_title: { eq: "x" } }
              or: [{ sub_title: { eq: "y" } }, { sub_title: { eq: "logic" } }]
            }
          ) {
            documentId
            not
            or
          }
        }
      `,
    );
    expect(found).toEqual({ blogPosts: [{ documentId: post, not: 'n', or: 'o' }] });
  });

  it('accepts names and enumeration values in zones as shown, and values as stored', async () => {
    const entry = (opens: string, text: string): string =>
      `{ __typename: "ComponentPagePartsCall", opens_in: ${opens}, side_bar: [{ link_text: ${text} }] }`;
    const entries = [
      entry('blank', '$text'),
      entry('"same_tab"', '"b"'),
      entry('"same tab"', '"c"'),
      entry('"_blank"', '"d"'),
      entry('R_and_D', '"e"'),
    ];
    const { createBlogPost } = await ask(
      `mutation ($text: String) {
        createBlogPost(data: { parts: [${entries.join(', ')}] }) {
          parts { ... on ComponentPagePartsCall { opens_in side_bar { link_text } } }
        }
      }`,
      { text: 'a' },
    );
    const expectedParts = ['blank', 'same_tab', 'same_tab', 'blank', 'R_and_D'].map((opens, index) => ({
      opens_in: opens,
      side_bar: [{ link_text: 'abcde'[index] }],
    }));
    expect(createBlogPost).toEqual({ parts: expectedParts });
    const { status, body } = await endpoint.ask(
      `mutation { createBlogPost(data: { parts: [${entry('"nowhere"', '"x"')}] }) { documentId } }`,
    );
    expect([status, body.errors?.map(({ path }) => path)]).toEqual([200, [['createBlogPost']]]);
  });

  it('reads polymorphic relations of components as their types', async () => {
    const writer = await create('GuestWriter', { full_name: 'Ann' });
    const post = await create('BlogPost', {
      side_bar: [{ leads_to: [{ documentId: writer, __type: WRITER }] }, { link_text: 'nowhere' }],
    });
    const target = '__typename ... on GuestWriter { full_name } ... on BlogPost { sub_title }';
    expect(await ask(`{ blogPost(documentId: "${post}") { side_bar { leads_to { ${target} } } } }`)).toEqual({
      blogPost: {
        side_bar: [{ leads_to: [{ __typename: 'GuestWriter', full_name: 'Ann' }] }, { leads_to: [] }],
      },
    });
  });

  it('reads both sides of polymorphic relations as their types, with one statement', async () => {
    const writer = await create('GuestWriter', { full_name: 'Bob' });
    const other = await create('GuestWriter', { full_name: 'Eve' });
    const post = await create('BlogPost', {
      sub_title: 'linking',
      pinned: { documentId: writer, __type: WRITER },
      see_also: [
        { documentId: other, __type: WRITER },
        { documentId: writer, __type: WRITER },
      ],
    });
    const query = `{
      blogPost(documentId: "${post}") {
        pinned {
          __typename
          ... on GuestWriter { full_name blog_posts { sub_title } }
          ... on BlogPost { sub_title }
        }
        see_also {
          __typename
          ... on BlogPost { sub_title }
          ... on GuestWriter { name: full_name mentioned_in { sub_title } }
        }
      }
    }`;
    expect(await ask(query)).toEqual({
      blogPost: {
        pinned: { __typename: 'GuestWriter', full_name: 'Bob', blog_posts: [] },
        see_also: [
          { __typename: 'GuestWriter', name: 'Eve', mentioned_in: [{ sub_title: 'linking' }] },
          { __typename: 'GuestWriter', name: 'Bob', mentioned_in: [{ sub_title: 'linking' }] },
        ],
      },
    });
    expect((await endpoint.ask(query)).statements).toBe(1);
    expect(
      await ask(
        `{
          guestWriter(documentId: "${writer}") {
            mentioned_in { sub_title }
            mentioned_in_connection { nodes { documentId } }
          }
        }`,
      ),
    ).toEqual({
      guestWriter: {
        mentioned_in: [{ sub_title: 'linking' }],
        mentioned_in_connection: { nodes: [{ documentId: post }] },
      },
    });
  });
});

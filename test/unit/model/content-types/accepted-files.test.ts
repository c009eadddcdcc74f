import { describe, expect, it } from 'vitest';
import { buildFiles, printProblem, typePath, typeText } from '../../../support/schema-files.js';
import { problemAt, thing, THING } from '../../../support/schema-problems.js';

describe('files without problems', () => {
  it('may have options of the admin panel, null for options that are not set, and empty bounds', () => {
    const { problems } = buildFiles(
      thing(
        '"title": { "type": "string", "configurable": true, "writable": true, "visible": false, ' +
          '"searchable": true, "displayName": "x", "columnType": "longtext", ' +
          ' "default": null, "minLength": null, "regex": null }',
        '"count": { "type": "biginteger", "min": "", "max": null, "default": "9223372036854775807" }',
        '"slug": { "type": "uid", "targetField": "title", "options": { "separator": "_" } }',
        '"color": { "type": "customField", "customField": "plugin::color-picker.color" }',
        '"body": { "type": "customField", "customField": "plugin::ckeditor5.CKEditor", "options": { ' +
          '"preset": "default" } }',
        '"choice": { "type": "customField", "customField": "plugin::multi-select.multi-select", ' +
          '"options": ["a"] }',
      ),
    );
    expect(problems).toEqual([]);
  });

  it('may leave out kind, collectionName, displayName and options', () => {
    const { model, problems } = buildFiles({
      [typePath('blog-post')]:
        '{ "info": { "singularName": "blog-post", "pluralName": "blog-posts" }, "attributes": {} }',
    });
    expect(problems).toEqual([]);
    expect(model?.typesByUid['api::blog-post.blog-post']).toMatchObject({
      kind: 'collectionType',
      collectionName: 'blog_posts',
      displayName: 'blog-post',
      draftAndPublish: false,
      localized: false,
    });
  });

  it('are known by their folders in kebab case, and components by their path in lower case', () => {
    const { model, problems } = buildFiles({
      'src/api/BlogPost/content-types/BlogPost/schema.json': typeText('blog-post', [
        '"hero": { "type": "component", "component": "Page-Parts.Hero" }',
        '"zone": { "type": "dynamiczone", "components": ["page-parts.hero"] }',
        '"again": { "type": "relation", "relation": "oneToOne", "target": "api::blog-post.blog-post" }',
      ]),
      'src/components/Page-Parts/Hero.json':
        '{ "info": {}, "attributes": { "title": { "type": "string" } } }',
    });
    expect(problems).toEqual([]);
    expect(Object.keys(model?.componentsByUid ?? {})).toEqual(['page-parts.hero']);
    expect(model?.typesByUid['api::blog-post.blog-post']?.attributes).toMatchObject({
      hero: { component: 'page-parts.hero' },
      zone: { components: ['page-parts.hero'] },
      again: { target: 'api::blog-post.blog-post' },
    });
  });

  it('may have a byte order mark and Windows line ends', () => {
    const text = `\uFEFF${typeText('thing', ['"title": { "type": "nope" }']).replaceAll('\n', '\r\n')}`;
    expect(buildFiles({ [THING]: text }).problems.map(printProblem)).toEqual([
      problemAt('error', 'unknown-type', 12, 'title'),
    ]);
  });
});

describe('custom fields', () => {
  it('have their base type and keep their name', () => {
    const { model } = buildFiles(
      thing(
        '"color": { "type": "customField", "customField": "plugin::color-picker.color" }',
        '"body": { "type": "customField", "customField": "plugin::my-editor.rich" }',
      ),
    );
    const { color, body } = model?.typesByUid['api::thing.thing']?.attributes ?? {};
    expect(color).toMatchObject({ type: 'string', customField: 'plugin::color-picker.color' });
    expect(body).toMatchObject({ type: 'richtext', customField: 'plugin::my-editor.rich' });
  });
});

import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import { FIELD_TYPES } from '../../../../src/model/fields/registry.js';
import { ATTRIBUTE_TYPES } from '../../../../src/project/scaffold/attribute-options.js';
import { parseAttributeShorthand } from '../../../../src/project/scaffold/attribute-shorthand.js';

const failure = (
  shorthand: string,
): { readonly message: string; readonly hint: string | undefined; readonly kind: string } => {
  try {
    parseAttributeShorthand(shorthand);
  } catch (error) {
    if (isGalleyError(error)) return { message: error.message, hint: error.hint, kind: error.kind };
  }
  throw new Error(`${shorthand} was accepted`);
};

describe('parseAttributeShorthand', () => {
  it.each([
    ['title:string', { type: 'string' }],
    ['title:string:required,maxLength=120', { type: 'string', required: true, maxLength: 120 }],
    ['slug:uid:targetField=title', { type: 'uid', targetField: 'title', generate: true }],
    ['slug:uid:targetField=title,generate=false', { type: 'uid', targetField: 'title', generate: false }],
    [
      'kind:enumeration:enum=news|opinion,default=news',
      { type: 'enumeration', enum: ['news', 'opinion'], default: 'news' },
    ],
    [
      'author:relation:manyToOne,target=author,inversedBy=articles',
      { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'articles' },
    ],
    [
      'author:relation:relation=oneToOne,target=api::author.author',
      { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
    ],
    [
      'owner:relation:manyToOne,target=user,default=$caller',
      { type: 'relation', relation: 'manyToOne', target: 'user', default: '$caller' },
    ],
    ['about:relation:morphToMany', { type: 'relation', relation: 'morphToMany' }],
    [
      'comments:relation:morphMany,target=comment,morphBy=about',
      { type: 'relation', relation: 'morphMany', target: 'comment', morphBy: 'about' },
    ],
    ['seo:component:component=shared.seo', { type: 'component', component: 'shared.seo', repeatable: false }],
    [
      'links:component:component=shared.link,repeatable,max=4',
      { type: 'component', component: 'shared.link', repeatable: true, max: 4 },
    ],
    [
      'sections:dynamiczone:components=sections.quote|sections.text',
      { type: 'dynamiczone', components: ['sections.quote', 'sections.text'] },
    ],
    ['cover:media:allowedTypes=images', { type: 'media', multiple: false, allowedTypes: ['images'] }],
    ['gallery:media:multiple', { type: 'media', multiple: true }],
    ['price:decimal:min=0.5,default=-1.25', { type: 'decimal', default: -1.25, min: 0.5 }],
    [
      'views:integer:min=0,default=0,required=false',
      { type: 'integer', default: 0, required: false, min: 0 },
    ],
    ['reads:biginteger:max=9223372036854775807', { type: 'biginteger', max: '9223372036854775807' }],
    ['open:boolean:default=false', { type: 'boolean', default: false }],
    ['extra:json:default={"a":1\\,"b":[1\\,2]}', { type: 'json', default: { a: 1, b: [1, 2] } }],
    ['code:string:regex=^[a-z]{2\\,3}\\d|x$', { type: 'string', regex: '^[a-z]{2,3}\\d|x$' }],
    ['label:enumeration:enum=a\\|b|c', { type: 'enumeration', enum: ['a|b', 'c'] }],
    [
      'note:text:localized,private',
      { type: 'text', private: true, pluginOptions: { i18n: { localized: true } } },
    ],
    ['time:string:default=10:30=noon', { type: 'string', default: '10:30=noon' }],
  ])('reads %s', (shorthand, json) => {
    const attribute = parseAttributeShorthand(shorthand);
    expect(attribute).toEqual({ name: shorthand.split(':')[0], json });
    expect(Object.keys(attribute.json)).toEqual(Object.keys(json));
  });

  it.each([
    ['title', 'Write name:type'],
    [':string', 'Write name:type'],
    ['title:strng', 'Did you mean string?'],
    ['title:string:requird', 'Did you mean required?'],
    ['title:string:maxLength=long', 'maxLength=10'],
    ['title:string:maxLength=-1', 'maxLength=10'],
    ['title:string:maxLength', 'maxLength=10'],
    ['title:string:required=maybe', 'required=false'],
    ['title:string:min=1', 'minLength'],
    ['kind:enumeration', 'enum=news|opinion'],
    ['author:relation:target=author', 'manyToOne'],
    ['author:relation:manyToOne', 'target=author'],
    ['author:relation:relation=manyToon,target=author', 'Did you mean manyToOne?'],
    ['seo:component', 'component=shared.seo'],
    ['sections:dynamiczone', 'components=sections.quote'],
    ['cover:media:allowedTypes=image', 'Did you mean images?'],
    ['extra:json:default={a}', 'default={"a":1}'],
    ['reads:biginteger:min=1.5', 'min=10'],
    ['constructor:constructor', 'Valid are'],
    ['title:string:constructor', 'Valid are'],
  ])('refuses %s as wrong usage, with the remedy', (shorthand, remedy) => {
    const { message, hint, kind } = failure(shorthand);
    expect(kind).toBe('usage');
    expect(message).toContain(shorthand);
    expect(hint).toContain(remedy);
  });

  it('knows every scalar type there is, and the four others', () => {
    expect(ATTRIBUTE_TYPES).toEqual([
      ...Object.keys(FIELD_TYPES),
      'relation',
      'media',
      'component',
      'dynamiczone',
    ]);
    for (const type of Object.keys(FIELD_TYPES)) {
      const options = type === 'enumeration' ? ':enum=a' : '';
      expect(parseAttributeShorthand(`name:${type}${options}`).json['type']).toBe(type);
    }
  });
});

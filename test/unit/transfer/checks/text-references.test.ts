import { describe, expect, it } from 'vitest';
import type { ContentModel, ContentSchema } from '../../../../src/model/model.js';
import { referencesOf } from '../../../../src/transfer/checks/text-references.js';

const MODEL = { componentsByUid: {} } as unknown as ContentModel;
const SCHEMA = {
  attributes: {
    body: { name: 'body', family: 'scalar', type: 'richtext' },
    blocks: { name: 'blocks', family: 'scalar', type: 'blocks' },
    title: { name: 'title', family: 'scalar', type: 'string' },
  },
} as unknown as ContentSchema;

const found = (data: object) =>
  referencesOf(MODEL, SCHEMA, { data: { documentId: 'a', ...data } }).map(({ kind, url, alt, line }) =>
    `${kind} ${url} ${alt} ${line ?? ''}`.trimEnd(),
  );

describe('references of rich texts', () => {
  it.each([
    ['no reference', []],
    ['[a](/b "c")', ['link /b  1']],
    ['x\n\n> - [a](/b)', ['link /b  3']],
    ['![alt *x*](/a.png)', ['image /a.png alt x 1']],
    ['![](</a b.png>)', ['image /a b.png  1']],
    ['[![alt](/a.png)](/b)', ['link /b  1', 'image /a.png alt 1']],
    ['[a][Id]\n\n![][id]\n\n[id]: /b', ['link /b  1', 'image /b  3']],
    ['<https://example.org/a>', ['link https://example.org/a  1']],
    ['a <a class="x" href="/b?c=1&amp;d=2">b</a>', ['link /b?c=1&d=2  1']],
    ["<p>\n<img alt='A \"b\"' src='/a.png'/>\n</p>", ['image /a.png A "b" 2']],
    ['<img src=/a.png>', ['image /a.png  1']],
    ['<img data-src="/b.png" src="/a.png">', ['image /a.png  1']],
    ['`[a](/b)` and\n\n    ![](/c)\n\n```\n[a](/b)\n```', []],
    ['\\[a](/b) \\![c](/d)', ['link /d  1']],
  ])('finds those of the Markdown %j', (body, expected) => {
    expect(found({ body, title: '[a](/b)' })).toEqual(expected);
  });

  it('finds those of blocks at any depth', () => {
    const text = { type: 'text', text: 'a' };
    const link = (url: string) => ({ type: 'link', url, children: [text] });
    const blocks = [
      {
        type: 'list',
        children: [{ type: 'list', children: [{ type: 'list-item', children: [link('/a')] }] }],
      },
      { type: 'image', image: { url: '/b.png', alternativeText: 'b' }, children: [text] },
      { type: 'image', image: { url: '/c.png', alternativeText: null }, children: [text] },
    ];
    expect(found({ blocks, body: null })).toEqual(['link /a', 'image /b.png b', 'image /c.png']);
  });
});

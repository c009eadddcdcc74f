import { describe, expect, it } from 'vitest';
import { typeOf } from '../../../../src/model/lookup.js';
import { assertNoMarkers, markConflicts } from '../../../../src/transfer/files/rejected-files.js';
import { modelFrom } from '../../../support/models.js';

const model = modelFrom({
  types: {
    page: {
      attributes: { title: { type: 'string' }, price: { type: 'integer' }, body: { type: 'richtext' } },
    },
  },
});
const page = typeOf(model, 'api::page.page');

describe('conflict markers', () => {
  it('enclose the lines that differ, and have the line of each value', () => {
    const { text, lineOf } = markConflicts(page, {
      file: '---\ntitle: a\nkept: 1\nprice: 1\n---\n\none\ntwo\n',
      database: '---\ntitle: b\nkept: 1\n---\n\none\nTWO\nthree\n',
    });
    expect(text).toBe(
      [
        '---',
        '<<<<<<< file',
        'title: a',
        '=======',
        'title: b',
        '>>>>>>> database',
        'kept: 1',
        '<<<<<<< file',
        'price: 1',
        '=======',
        '>>>>>>> database',
        '---',
        '',
        'one',
        '<<<<<<< file',
        'two',
        '=======',
        'TWO',
        'three',
        '>>>>>>> database',
        '',
      ].join('\n'),
    );
    expect(['title', 'price', 'body'].map((name) => lineOf([name]))).toEqual([2, 8, 15]);
    expect(() => assertNoMarkers('page/a.md', text)).toThrow('page/a.md:2: The conflict is unresolved.');
    expect(() => assertNoMarkers('page/a.md', text.replace('<<<<<<< file\n', ''))).toThrow('page/a.md:5:');
    expect(() => assertNoMarkers('page/a.md', 'a\n=======\n> > > quote\n')).not.toThrow();
  });

  it('enclose a whole file that one side has deleted', () => {
    expect(markConflicts(page, { file: 'title: a\n', database: '' }).text).toBe(
      '<<<<<<< file\ntitle: a\n=======\n>>>>>>> database\n',
    );
    expect(markConflicts(page, { file: '', database: 'title: a\n' }).text).toBe(
      '<<<<<<< file\n=======\ntitle: a\n>>>>>>> database\n',
    );
  });
});

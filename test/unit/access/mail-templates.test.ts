import { describe, expect, it } from 'vitest';
import { assertPlaceholders, fillTemplate } from '../../../src/access/mail-templates.js';

const template = {
  subject: 'For {{ NAME }}',
  text: 'Hello {{NAME}}, {{URL}}',
  html: '<a href="{{URL}}">{{NAME}}</a>',
};

describe('templates of messages', () => {
  it('replace placeholders by values', () => {
    expect(fillTemplate(template, { NAME: 'Ann', URL: 'https://x.example/?a=1&b=2' })).toEqual({
      subject: 'For Ann',
      text: 'Hello Ann, https://x.example/?a=1&b=2',
      html: '<a href="https://x.example/?a=1&amp;b=2">Ann</a>',
    });
  });

  it.each([
    ['markup', '<script>alert(1)</script>"\'&', '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'],
    ['placeholders', '{{URL}}{{constructor}}', '{{URL}}{{constructor}}'],
    [
      'code of other template languages',
      '<%= process.env %>${1+1}#{1}$&$1',
      '&lt;%= process.env %&gt;${1+1}#{1}$&amp;$1',
    ],
    ['lines of a header', 'x\r\nBcc: all@example.com\u0000', 'xBcc: all@example.com'],
  ])('treat %s in a value as text', (_what, value, html) => {
    const filled = fillTemplate(template, { NAME: value, URL: '' });
    expect(filled.html).toBe(`<a href="">${html}</a>`);
    expect(filled.subject.split(/\s/).join(' ')).toBe(filled.subject);
    expect(filled.text).toContain(value.startsWith('x') ? 'xBcc' : value);
  });

  it('list the placeholders in the error for an unknown one', () => {
    expect(() => assertPlaceholders('a.txt', 'Dear {{NAME}}', ['NAME'])).not.toThrow();
    for (const text of ['{{PASSWORD}}', '{{constructor}}', '{{}}', '{{user.password}}'])
      expect(() => assertPlaceholders('a.txt', text, ['NAME'])).toThrow(/a\.txt.*\{\{NAME\}\}/);
  });
});

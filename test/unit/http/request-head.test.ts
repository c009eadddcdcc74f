import { describe, expect, it } from 'vitest';
import { headOf } from '../../../src/http/request-head.js';

describe('the head of a request', () => {
  it('holds what may decide about the answer, however it is written', () => {
    const raw = ['Host', 'site.example', 'AUTHORIZATION', 'Bearer a', 'accept', '*/*', 'Cookie', 'a=b'];
    expect(headOf(raw)).toEqual({ authorization: 'Bearer a', accept: '*/*' });
  });

  it('is not known where such a header was sent twice', () => {
    expect(headOf(['Origin', 'https://a.example', 'origin', 'https://b.example'])).toBeNull();
    expect(headOf(['Accept', '', 'accept', '*/*'])).toBeNull();
    expect(headOf(['Cookie', 'a=b', 'cookie', 'c=d'])).toEqual({});
  });
});

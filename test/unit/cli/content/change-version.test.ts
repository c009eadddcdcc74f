import { describe, expect, it } from 'vitest';
import { parseMoment } from '../../../../src/cli/content/change-version.js';

const NOW = new Date('2026-05-01T12:00:00.000Z');

describe('what --at means', () => {
  it.each([
    ['30m', '2026-05-01T12:30:00.000Z'],
    ['2h', '2026-05-01T14:00:00.000Z'],
    ['3d', '2026-05-04T12:00:00.000Z'],
    ['1w', '2026-05-08T12:00:00.000Z'],
    ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01 09:00:30+02:00', '2026-12-01T07:00:30.000Z'],
  ])('%s', (text, expected) => {
    expect(parseMoment(text, NOW)?.toISOString()).toBe(expected);
  });

  it('is a time of this machine without an offset, and nothing with never', () => {
    expect(parseMoment('2026-12-01T09:00', NOW)).toEqual(new Date(2026, 11, 1, 9));
    expect(parseMoment('2026-12-01', NOW)).toEqual(new Date(2026, 11, 1));
    expect(parseMoment('never', NOW)).toBeNull();
  });

  it.each(['', 'soon', '2', '2y', '-2h', '2026-02-31T09:00', '2026-13-01', '12/01/2026', '2026-12-01T25:00'])(
    'refuses %j',
    (text) => {
      expect(() => parseMoment(text, NOW)).toThrow('is not a time.');
    },
  );
});

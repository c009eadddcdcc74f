import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createFullScreen, createKeyboard } from '../../../../src/cli/browse/screen.js';

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[2J';
const LEAVE = '\u001B[0m\u001B[?25h\u001B[?1049l';

/** What runs when the process ends, however that comes. */
const exitListeners = () => process.listeners('exit');

it('leaves the screen and the keys as they were, also where the process ends', () => {
  const before = exitListeners();
  const output = new PassThrough({ encoding: 'utf8' });
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const screen = createFullScreen(output);
  const keyboard = createKeyboard(stdin);
  screen.enter();
  keyboard.listen();
  screen.frames.write('one\ntwo');
  for (const listener of exitListeners().filter((each) => !before.includes(each))) listener.call(process, 1);
  expect(output.read()).toBe(`${ENTER}\u001B[1;1Hone\u001B[K\u001B[2;1Htwo\u001B[K${LEAVE}`);
  expect(modes).toEqual([true, false]);
  screen.leave();
  keyboard.release();
  expect(output.read()).toBe(null);
  expect(exitListeners()).toEqual(before);
});

it('sends what changed, nothing while it is left, and all of it when it comes back', () => {
  const output = new PassThrough({ encoding: 'utf8' });
  const screen = createFullScreen(output);
  screen.enter();
  screen.frames.write('one\ntwo');
  output.read();
  screen.frames.write('one\ntwice');
  expect(output.read()).toBe('\u001B[2;3Hice\u001B[K');
  screen.frames.write('one\ntwice');
  expect(output.read()).toBe(null);
  screen.leave();
  screen.frames.write('three');
  expect(output.read()).toBe(LEAVE);
  screen.enter();
  expect(output.read()).toBe(`${ENTER}\u001B[1;1Hthree\u001B[K`);
  screen.leave();
});

/**
 * The folder browse is the full-screen browser of `cms content browse`. This file runs it; state.ts is its
 * state, press.ts handles keys, and lines.ts prints the rows.
 */
import { Writable } from 'node:stream';
import { render } from 'ink';
import { createElement } from 'react';
import { createError } from '../../errors/catalogue.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { toGalleyError } from '../terminal/report-error.js';
import { withConsoleOn, writeText } from '../terminal/terminal.js';
import type { Style, Terminal } from '../terminal/terminal.js';
import { Browser } from './browser.js';
import { press } from './press.js';
import {
  describeRunning,
  describeResult,
  nextRead,
  performRead,
  performWrite,
  emptyResult,
} from './read-and-write.js';
import { createFullScreen, createKeyboard } from './screen.js';
import type { Key } from './screen.js';
import { initialState, reduce } from './state.js';
import type { BrowseEvent, BrowseState, BrowsedType, Operation, Start } from './state.js';

const withLabels = (types: readonly ContentType[]): readonly BrowsedType[] => {
  const isTaken = (type: ContentType): boolean =>
    types.some((other) => other !== type && other.singularName === type.singularName);
  return types
    .map((type) => ({ type, label: isTaken(type) ? type.uid : type.singularName }))
    .toSorted((left, right) => (left.label < right.label ? -1 : 1));
};

/**
 * Returns the initial view: all types except those of accounts and files, unless the argument names one of
 * them.
 *
 * @throws `cli/invalid-usage` if there is nothing to browse
 */
export async function startOf(
  store: ContentStore,
  named: { readonly type: string | undefined; readonly locale: string | undefined },
): Promise<Omit<Start, 'size'>> {
  const { model } = store;
  const first = named.type === undefined ? null : resolveType(model.types, named.type);
  const types = withLabels(model.types.filter((type) => type.origin !== 'builtin' || type === first));
  if (types.length === 0)
    throw createError('cli/invalid-usage', {
      reason: 'This project has no content-types to browse.',
      remedy: 'Add one with: cms type add',
    });
  const locales = await store.locales();
  const codes = locales.map(({ code }) => code);
  const locale = named.locale ?? locales.find(({ isDefault }) => isDefault)?.code ?? 'en';
  const typeIndex = Math.max(
    0,
    types.findIndex(({ type }) => type === first),
  );
  return { model, types, typeIndex, locales: codes, locale };
}

/** Describes an error and its hint in one line. */
function describeFailure(thrown: unknown): string {
  const { message, hint, details } = toGalleyError(thrown);
  const issues = details.errors ?? [];
  if (issues.length > 1) return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return hint === undefined || hint === '' ? message : `${message} ${hint}`;
}

type Notify = (message: string) => void;

interface NamedVersion {
  readonly type: ContentType;
  readonly documentId: string;
  /** Undefined for types that are not localized. */
  readonly locale: string | undefined;
}

/** The browsed content, and the functions that change it. */
interface BrowsedContent {
  /** For reading. */
  readonly store: ContentStore;
  readonly write: <T>(work: (store: ContentStore) => Promise<T>) => Promise<T>;
  /** Opens an editor. Returns true if it saved a change. */
  readonly edit: (version: NamedVersion) => Promise<boolean>;
  readonly create: (version: Omit<NamedVersion, 'documentId'>) => Promise<boolean>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A running browser: its state and its current operation. */
class Session {
  readonly #screen;
  readonly #keyboard;
  readonly #listeners = new Set<() => void>();
  #state: BrowseState;
  #reading: Promise<void> | null = null;
  #operation: Promise<void> = Promise.resolve();
  #isInEditor = false;
  #isLeft = false;
  #leave: (signal: NodeJS.Signals | null) => void = () => undefined;
  readonly #left = new Promise<NodeJS.Signals | null>((resolve) => {
    this.#leave = resolve;
  });

  constructor(
    readonly terminal: Terminal,
    readonly content: BrowsedContent,
    start: Omit<Start, 'size'>,
  ) {
    this.#screen = createFullScreen(terminal.stderr);
    this.#keyboard = createKeyboard(terminal.stdin);
    this.#state = initialState({ ...start, size: this.#screen.size() });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly state = (): BrowseState => this.#state;

  /** Shows a message from outside the browser: console output of project code, or a warning. */
  readonly notify: Notify = (text) => {
    if (this.#isInEditor) writeText(this.terminal.stderr, text);
    else this.#dispatch({ kind: 'message', message: { tone: 'info', text } });
  };

  readonly #onKey = (key: Key): void => {
    if (this.#isLeft) return;
    const { state, effect } = press(this.#state, key);
    this.#show(state);
    if (effect === undefined) return;
    switch (effect.kind) {
      case 'quit':
        return this.#quit(null);
      case 'suspend':
        return this.#suspend();
      default:
        this.#operation = this.#operate(effect);
    }
  };

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    // Ctrl-C is for the editor, too.
    if (!(this.#isInEditor && signal === 'SIGINT')) this.#quit(signal);
  };

  /** Draws the screen and reads keys until the user quits. Returns the signal that ended it, or null. */
  async run(style: Style): Promise<NodeJS.Signals | null> {
    const stopResizing = this.#screen.onResize(() =>
      this.#dispatch({ kind: 'resized', size: this.#screen.size() }),
    );
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    this.#takeTerminal();
    const browser = createElement(Browser, { store: this, style, onKey: this.#onKey });
    // In this mode Ink writes whole frames, and the screen draws only the changes.
    const app = render(browser, {
      stdout: this.#screen.frames,
      stdin: this.#keyboard.input,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: false,
    });
    try {
      this.#read();
      const crashed = app.waitUntilExit().then(() => null);
      return await Promise.race([this.#left, crashed]);
    } finally {
      this.#isLeft = true;
      await this.#operation;
      await this.#reading;
      stopResizing();
      this.#giveTerminalBack();
      app.unmount();
      for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    }
  }

  #takeTerminal(): void {
    this.#screen.enter();
    this.#keyboard.listen();
  }

  #giveTerminalBack(): void {
    this.#keyboard.release();
    this.#screen.leave();
  }

  #quit(signal: NodeJS.Signals | null): void {
    this.#isLeft = true;
    this.#leave(signal);
  }

  /** Stops the foreground processes of this terminal, as Ctrl-Z does. */
  #suspend(): void {
    this.#giveTerminalBack();
    process.kill(0, 'SIGTSTP');
    // Execution continues here after `fg`.
    setImmediate(() => this.#takeTerminal());
  }

  #show(state: BrowseState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
    this.#read();
  }

  #dispatch(event: BrowseEvent): void {
    this.#show(reduce(this.#state, event));
  }

  /** Reads the missing values one after another, until the screen is complete. */
  #read(): void {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
      if (!this.#isLeft && nextRead(this.#state) !== null) this.#read();
    });
  }

  async #readAll(): Promise<void> {
    for (;;) {
      const read = this.#isLeft ? null : nextRead(this.#state);
      if (read === null) return;
      try {
        this.#dispatch(await performRead(this.content.store, read));
      } catch (error) {
        this.#dispatch(emptyResult(read));
        this.#dispatch({ kind: 'message', message: { tone: 'error', text: describeFailure(error) } });
      }
    }
  }

  async #operate(operation: Operation): Promise<void> {
    this.#dispatch({ kind: 'began', label: describeRunning(operation) });
    const isNewest = ['edit', 'create', 'duplicate', 'translate'].includes(operation.kind);
    const locale = operation.kind === 'translate' ? operation.to : undefined;
    try {
      const omitted = await this.#perform(operation);
      const isDone = omitted !== null;
      const text = isDone ? [describeResult(operation), ...omitted].join(' ') : 'Nothing was changed.';
      this.#dispatch({
        kind: 'ended',
        message: { tone: 'info', text },
        isNewest: isDone && isNewest,
        locale,
      });
    } catch (error) {
      const message = { tone: 'error' as const, text: describeFailure(error) };
      this.#dispatch({ kind: 'ended', message, isNewest: false });
    }
  }

  /** Returns a line for each omitted attribute. Null: nothing was changed. */
  async #perform(operation: Operation): Promise<readonly string[] | null> {
    const { edit, create, write, store } = this.content;
    switch (operation.kind) {
      case 'edit': {
        const { documentId, locale, type } = operation.target;
        const version = { type: typeOf(store.model, type), documentId, locale: locale ?? undefined };
        return (await this.#inEditor(() => edit(version))) ? [] : null;
      }
      case 'create': {
        const version = { type: typeOf(store.model, operation.type), locale: operation.locale ?? undefined };
        return (await this.#inEditor(() => create(version))) ? [] : null;
      }
      default:
        return write((writable) => performWrite(writable, operation));
    }
  }

  /** Hands the terminal to an editor, and redraws the screen when it closes. */
  async #inEditor(work: () => Promise<boolean>): Promise<boolean> {
    this.#isInEditor = true;
    this.#giveTerminalBack();
    try {
      return await work();
    } finally {
      this.#isInEditor = false;
      this.#takeTerminal();
    }
  }
}

export interface BrowseOptions {
  readonly start: Omit<Start, 'size'>;
  readonly style: Style;
  readonly content: (notify: Notify) => BrowsedContent;
}

/**
 * Shows content in full screen until the user quits.
 *
 * @throws `cli/interrupted` if a signal ends it
 */
export async function browse(terminal: Terminal, { start, style, content }: BrowseOptions): Promise<void> {
  let notify: Notify = () => undefined;
  const session = new Session(
    terminal,
    content((text) => notify(text)),
    start,
  );
  notify = session.notify;
  const lines = new Writable({
    write: (chunk: unknown, _encoding, done) => {
      notify(String(chunk));
      done();
    },
  });
  const signal = await withConsoleOn(lines, () => session.run(style));
  if (signal !== null) throw createError('cli/interrupted');
}

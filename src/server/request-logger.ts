import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from './logger.js';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
type Line = readonly unknown[];
type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/** Makes its child of the parent when there is something to say. */
class RequestLogger implements FastifyBaseLogger {
  readonly #parent: Logger;
  readonly #bindings: Bindings;
  #own: Logger | null = null;

  constructor(parent: Logger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return (this.#own ?? this.#parent).level;
  }

  set level(level: string) {
    this.#child().level = level;
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.#child().child(bindings, options);
  }

  fatal(...line: Line): void {
    this.#say('fatal', line);
  }

  error(...line: Line): void {
    this.#say('error', line);
  }

  warn(...line: Line): void {
    this.#say('warn', line);
  }

  info(...line: Line): void {
    this.#say('info', line);
  }

  debug(...line: Line): void {
    this.#say('debug', line);
  }

  trace(...line: Line): void {
    this.#say('trace', line);
  }

  silent(): void {
    // As its name says.
  }

  #child(): Logger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }

  #say(level: Level, line: Line): void {
    if (!(this.#own ?? this.#parent).isLevelEnabled(level)) return;
    const own = this.#child();
    Reflect.apply(own[level], own, line);
  }
}

/**
 * The logger of one request. What a logger is bound to loses its secrets when it is made, which takes longer than parsing a query: so it is
 * made where a request has something to say, and not at all for those that have not.
 */
export function createRequestLogger(parent: Logger, bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
  const isPlain = Object.values(options ?? {}).every((value) => value === undefined);
  return isPlain ? new RequestLogger(parent, bindings) : parent.child(bindings, options);
}

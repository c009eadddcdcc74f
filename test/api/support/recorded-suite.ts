import { readFileSync } from 'node:fs';

/** A multipart form: files, and fields that are sent as JSON unless they are text. */
export interface StepUpload {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly files?: readonly {
    readonly name: string;
    readonly type: string;
    readonly base64: string;
    readonly field?: string;
  }[];
}

/** One request of a recorded conversation and the answer that is right. */
export interface Step {
  readonly id: string;
  /** A token's name (default `full`), `none`, `jwt:<user>` or `raw:<header>`. */
  readonly as?: string;
  readonly method?: string;
  readonly path: string;
  readonly query?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly upload?: StepUpload;
  /** Values of the answer, by path, that later steps refer to as `{{alias}}`. */
  readonly save?: Readonly<Record<string, string>>;
  /** Paths that are not compared. */
  readonly ignore?: readonly string[];
  readonly compare?: 'status';
  readonly expect: { readonly status: number; readonly body: unknown };
}

/** A conversation that starts on an empty database and is held in order. */
export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly project: string;
  readonly steps: readonly Step[];
}

/** Reads a recorded suite of test/fixtures/conformance. */
export function loadSuite(name: string): Suite {
  return JSON.parse(
    readFileSync(new URL(`../../fixtures/conformance/suites/${name}.json`, import.meta.url), 'utf8'),
  ) as Suite;
}

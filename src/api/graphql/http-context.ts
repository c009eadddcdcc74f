import type { FastifyReply, FastifyRequest } from 'fastify';

interface HttpContextOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply | null;
  readonly state: unknown;
}

type Headers = FastifyRequest['headers'];

/** The request as project code reads it. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly ip: string;
  readonly headers: Headers;
  /** The same as `headers`. */
  readonly header: Headers;
  readonly body: unknown;
  /** Returns a header by its case-insensitive name, or `''` if there is none. */
  readonly get: (name: string) => string;
}

/** The response as project code writes it. */
export interface HttpResponse {
  readonly set: (name: string, value: string) => void;
  readonly get: (name: string) => string;
}

/** The request and response of an operation, for policies, middlewares and resolvers of the project. */
export class HttpContext {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply | null;
  readonly state: unknown;

  constructor({ request, reply, state }: HttpContextOptions) {
    this.#request = request;
    this.#reply = reply;
    this.state = state;
  }

  get request(): HttpRequest {
    const { method, url, ip, headers, body } = this.#request;
    return {
      method,
      url,
      path: url.replace(/\?.*/su, ''),
      ip,
      headers,
      header: headers,
      body,
      get: (name) => this.get(name),
    };
  }

  get response(): HttpResponse {
    return {
      set: (name, value) => this.set(name, value),
      get: (name) => String(this.#reply?.getHeader(name) ?? ''),
    };
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  get ip(): string {
    return this.#request.ip;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  /** Returns a header of the request. */
  get(name: string): string {
    const value = this.#request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? '');
  }

  /** Sets a header of the response. */
  set(name: string, value: string): void {
    this.#reply?.header(name, value);
  }
}

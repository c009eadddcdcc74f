/** A compiled WebAssembly module. */
export type WasmModule = object;

/** The part of Node's WebAssembly API used here. Its types come only with those of browsers. */
interface WebAssemblyApi {
  readonly instantiate: (
    bytes: Uint8Array,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>;
  readonly compile: (bytes: Uint8Array) => Promise<WasmModule>;
}

declare const WebAssembly: WebAssemblyApi;

export const webAssembly: WebAssemblyApi = WebAssembly;

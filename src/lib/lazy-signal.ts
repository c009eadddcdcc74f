/**
 * Returns the signal that ends something. Called only where that takes long, since creating a signal takes as
 * long as many a read.
 */
export type LazySignal = () => AbortSignal;

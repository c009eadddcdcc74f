const constantBodies = new WeakSet<Buffer>();

/** Notes that the bytes never change, and are likely sent again. */
export function noteConstant(body: Buffer): void {
  constantBodies.add(body);
}

/** Whether what was made of the bytes may be kept. */
export function isConstant(body: Buffer): boolean {
  return constantBodies.has(body);
}

/**
 * Returns a function that reads once and gives the value to all who ask until the event loop next waits. Then
 * it holds for every request of which the first byte has arrived later than what it was changed by was told:
 * what the loop handles now had arrived before it began to, and so before the first of them read.
 */
export function oncePerTurn<Value>(read: () => Value): () => Value {
  let held: { readonly value: Value } | null = null;
  const release = (): void => {
    held = null;
  };
  return () => {
    if (held === null) {
      held = { value: read() };
      setImmediate(release);
    }
    return held.value;
  };
}

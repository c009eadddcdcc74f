const MAX_LABELS = 3;

const labelsByRequest = new WeakMap<object, string[]>();

/** Adds a part to what the log says about a request, beside its method and path. */
export function labelRequest(request: object, label: string): void {
  const labels = labelsByRequest.get(request);
  if (labels === undefined) labelsByRequest.set(request, [label]);
  else labels.push(label);
}

/** Returns what a request is about, or undefined if nobody has labelled it. */
export function requestLabelOf(request: object): string | undefined {
  const labels = labelsByRequest.get(request);
  if (labels === undefined) return undefined;
  const others = labels.length - MAX_LABELS;
  return [...labels.slice(0, MAX_LABELS), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

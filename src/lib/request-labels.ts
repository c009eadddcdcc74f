const MAX_LABELS = 3;

const LABELS = Symbol('labels');

/** A property, since a weak map of requests costs each garbage collection more than it holds. */
interface Labelled {
  [LABELS]?: string[];
}

/** Adds a part to what the log says about a request, beside its method and path. */
export function labelRequest(request: object, label: string): void {
  const labelled: Labelled = request;
  if (labelled[LABELS] === undefined) labelled[LABELS] = [label];
  else labelled[LABELS].push(label);
}

/** Returns what a request is about, or undefined if nobody has labelled it. */
export function requestLabelOf(request: object): string | undefined {
  const { [LABELS]: labels }: Labelled = request;
  if (labels === undefined) return undefined;
  const others = labels.length - MAX_LABELS;
  return [...labels.slice(0, MAX_LABELS), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

import { type Expression, type Marker, numbers } from './markers.ts';

/** Puts the parameters in the place of their markers. Pure. */
export interface Placing {
  readonly place: (value: unknown) => unknown;
  /** The markers that nothing contained. */
  readonly unused: () => readonly string[];
}

export function createPlacing(markers: readonly Marker[]): Placing {
  const used = new Set<string>();
  const all = [...markers.map(({ text }) => text), ...[...numbers.keys()].map(String)];
  const seen = (text: string): void => void used.add(text);

  const ofText = (text: string, isSub: boolean): unknown => {
    const whole = markers.find((marker) => marker.text === text);
    if (whole && !isSub) {
      seen(whole.text);
      return whole.expression;
    }
    return substituted(isSub ? text : text.replaceAll('${', '${!'), { markers, seen, isSub });
  };

  const ofNumber = (value: number): unknown => {
    const expression = numbers.get(value);
    if (expression) seen(String(value));
    return expression ?? value;
  };

  const place = (value: unknown): unknown => {
    if (typeof value === 'string') return ofText(value, false);
    if (typeof value === 'number') return ofNumber(value);
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== 'object' || value === null) return value;
    const { 'Fn::Sub': template } = value as Record<string, unknown>;
    if (typeof template === 'string') return ofText(template, true);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, place(item)]));
  };
  return { place, unused: () => all.filter((text) => !used.has(text)) };
}

interface Substituting {
  readonly markers: readonly Marker[];
  readonly seen: (text: string) => void;
  readonly isSub: boolean;
}

/** A text with markers in it, as `Fn::Sub`; what is more than a reference becomes a variable of it. */
function substituted(text: string, { markers, seen, isSub }: Substituting): unknown {
  const variables: Record<string, Expression> = {};
  let written = text;
  for (const marker of markers.filter(({ text: one }) => written.includes(one))) {
    seen(marker.text);
    const { Ref } = marker.expression;
    const name = typeof Ref === 'string' ? Ref : `Value${Object.keys(variables).length + 1}`;
    if (typeof Ref !== 'string') variables[name] = marker.expression;
    written = written.replaceAll(marker.text, `\${${name}}`);
  }
  if (written === text && !isSub) return text.replaceAll('${!', '${');
  return { 'Fn::Sub': Object.keys(variables).length === 0 ? written : [written, variables] };
}

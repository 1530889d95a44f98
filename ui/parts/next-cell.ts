interface Place {
  readonly left: number;
  readonly top: number;
}

/** The cell that an arrow key, Home or End moves to; undefined for other keys and at the edges. Pure. */
export function nextCell(
  key: string,
  { at, places }: { readonly at: number; readonly places: readonly Place[] },
): number | undefined {
  const last = places.length - 1;
  switch (key) {
    case 'ArrowRight':
      return at < last ? at + 1 : undefined;
    case 'ArrowLeft':
      return at > 0 ? at - 1 : undefined;
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowDown':
      return nearest(places, at, (top, here) => top - here);
    case 'ArrowUp':
      return nearest(places, at, (top, here) => here - top);
    default:
      return undefined;
  }
}

/** Of the next row in a direction, the cell above or below. */
function nearest(
  places: readonly Place[],
  at: number,
  distance: (top: number, here: number) => number,
): number | undefined {
  const here = places[at];
  if (!here) return undefined;
  const beyond = places
    .map((place, index) => ({
      index,
      down: distance(place.top, here.top),
      aside: Math.abs(place.left - here.left),
    }))
    .filter(({ down }) => down > 1);
  const row = Math.min(...beyond.map(({ down }) => down));
  return beyond.filter(({ down }) => down < row + 1).toSorted((one, other) => one.aside - other.aside)[0]
    ?.index;
}

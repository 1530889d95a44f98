import type { ComponentChildren } from 'preact';

/** The first of a list that may have thousands, with the number of the rest: a page of thousands of rows helps no reader and stops a browser. */
export function Capped<Item>({
  items,
  most,
  children,
  tag: Tag = 'ul',
  class: name,
}: {
  readonly items: readonly Item[];
  readonly most: number;
  readonly children: (item: Item) => ComponentChildren;
  readonly tag?: 'ul' | 'ol';
  readonly class?: string;
}) {
  const rest = items.length - most;
  return (
    <Tag {...(name !== undefined && { class: name })}>
      {items.slice(0, most).map((item) => children(item))}
      {rest > 0 && <li class="quiet">and {rest.toLocaleString('en')} more</li>}
    </Tag>
  );
}

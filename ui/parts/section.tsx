import type { ComponentChildren } from 'preact';

/** A part of the page beside the groups, with its heading. */
export const Panel = ({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}) => (
  <section class={`panel ${id}`} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** A moment in a `<time>`. */
export const Moment = ({ at, text }: { readonly at: number; readonly text: string }) => (
  <time dateTime={new Date(at).toISOString()}>{text}</time>
);

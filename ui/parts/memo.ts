import { Component, type ComponentChild, type FunctionComponent } from 'preact';

/** A view that is only rendered again once one of its properties is another object or value. */
export function memo<Properties extends object>(
  view: (properties: Properties) => ComponentChild,
): FunctionComponent<Properties> {
  class Memo extends Component<Properties> {
    override shouldComponentUpdate(next: Readonly<Properties>): boolean {
      const { props } = this;
      return (Object.keys(next) as (keyof Properties)[]).some((name) => next[name] !== props[name]);
    }
    override render(): ComponentChild {
      return view(this.props);
    }
  }
  // A component of its own around it would be as many again as there are nodes.
  return Memo as unknown as FunctionComponent<Properties>;
}

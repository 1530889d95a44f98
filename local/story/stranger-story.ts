import { shortNodeName } from './line.ts';
import type { Story, StoryParts } from './story.ts';
import type { NodeView, View } from './view.ts';

export interface StrangerStoryParts extends Pick<StoryParts, 'say'> {
  /** Asks for the client certificate of a node with the published bootstrap token; gives the name of the request once Drover has judged it. */
  readonly askWithStolenToken: (nodeName: string) => Promise<string>;
  /** Whether the story before this one has ended. */
  readonly isQuiet: () => boolean;
  readonly onProblem: (problem: unknown) => void;
}

type Chapter =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'asked'; readonly requestName: string }
  | { readonly kind: 'ended' };

/** A stranger with the token of new nodes asks for the name of a node that runs. The story ends when Drover has judged that. */
export function createStrangerStory(parts: StrangerStoryParts): Story {
  const { say, askWithStolenToken, isQuiet, onProblem } = parts;
  let chapter: Chapter = { kind: 'waiting' };

  const askFor = async (nodeName: string): Promise<void> => {
    try {
      chapter = { kind: 'asked', requestName: await askWithStolenToken(nodeName) };
    } catch (error) {
      chapter = { kind: 'ended' };
      onProblem(error);
    }
  };
  const ask = ({ name }: NodeView): Chapter => {
    say(
      `A stranger has stolen the token of new nodes, and asks for the name of ${shortNodeName(name)}, which runs.`,
    );
    void askFor(name);
    return { kind: 'asking' };
  };
  const next = (view: View): Chapter => {
    if (chapter.kind === 'waiting') {
      const [node] = view.nodes.filter(({ ready }) => ready);
      return node && isQuiet() ? ask(node) : chapter;
    }
    if (chapter.kind !== 'asked') return chapter;
    for (const text of ending(view, chapter.requestName)) say(text);
    return { kind: 'ended' };
  };
  return {
    look: (view) => {
      chapter = next(view);
    },
    hasEnded: () => chapter.kind === 'ended',
  };
}

function ending({ requests }: View, requestName: string): readonly string[] {
  const decision = requests.find(({ name }) => name === requestName)?.decision;
  const outcome = decision
    ? `is ${decision.type.toLowerCase()}`
    : 'is not approved and needs a manual decision';
  return [
    `The request ${outcome}. A token does not prove that the client is an instance. To see why:`,
    `  npx --no -- drover csr explain ${requestName}`,
  ];
}

import { memo } from '../../parts/memo.ts';
import { Moment, Panel } from '../../parts/section.tsx';
import type { NewsView } from '../../state/types.ts';
import { timeOfDay } from '../../state/words.ts';

const shown = 10;

/** The lines of the terminal, for readers of the page. */
export const News = memo(({ news }: { readonly news: readonly NewsView[] }) =>
  news.length === 0 ? null : (
    <Panel id="news" title="What happens">
      <ol>
        {news.slice(0, shown).map(({ at, speaker, text }) => (
          <li key={`${at} ${text}`}>
            <Moment at={at} text={timeOfDay(at)} />
            <span class="speaker" data-speaker={speaker}>
              {speaker}
            </span>
            <span class="text">{text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  ),
);

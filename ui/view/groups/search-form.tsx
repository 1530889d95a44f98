import { memo } from '../../parts/memo.ts';
import { placed } from '../../state/condition.ts';
import { isSearching, matches, noSearch, type Search, type Show, shows } from '../../state/search.ts';
import type { GroupView } from '../../state/types.ts';
import { counted } from '../../state/words.ts';

interface SearchFormProps {
  readonly groups: readonly GroupView[];
  readonly search: Search;
  readonly setSearch: (search: Search) => void;
}

/** What to look for in all groups: words, a condition, a zone. */
export const SearchForm = memo(({ groups, search, setSearch }: SearchFormProps) => {
  const all = placed(groups);
  const zones = [...new Set(all.map(({ instance }) => instance.availabilityZone))].toSorted();
  return (
    <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        <span>Find</span>
        <input
          type="search"
          placeholder="instance, node, pod"
          value={search.words}
          onInput={({ currentTarget }) => setSearch({ ...search, words: currentTarget.value })}
        />
      </label>
      <label>
        <span>Show</span>
        <select
          value={search.show}
          onChange={({ currentTarget }) => setSearch({ ...search, show: currentTarget.value as Show })}
        >
          {shows.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Zone</span>
        <select
          value={search.zone}
          onChange={({ currentTarget }) => setSearch({ ...search, zone: currentTarget.value })}
        >
          <option value="">All zones</option>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </select>
      </label>
      <p role="status">
        {isSearching(search) &&
          `${all.filter((one) => matches(one, search)).length} of ${counted(all.length, 'instance')}`}
      </p>
      {isSearching(search) && (
        <button type="button" onClick={() => setSearch(noSearch)}>
          Show all
        </button>
      )}
    </form>
  );
});

/** Names by id; none where their service couldn’t say in time, or the member may not see them. */
export const namesOf = (
  records: readonly { id: number; name: string }[] | null | undefined,
): ReadonlyMap<number, string> => new Map(records?.map(({ id, name }) => [id, name]));

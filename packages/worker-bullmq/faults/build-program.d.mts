/** Makes one program of a file beside this one and the packages' sources that Node runs as it is. */
export declare function buildProgram(source: string): Promise<{ file: string; dir: string }>

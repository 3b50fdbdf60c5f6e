mod read_result;
